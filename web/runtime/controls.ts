import type { ControlKind, FormControl } from '../../src/model/form.ts'

/** The server accepts no more. */
const MAX_FIELDS = 500
const MAX_NAME_CHARS = 1000
const MAX_LABEL_CHARS = 200
const KINDS: Record<string, ControlKind> = {
  radio: 'choice',
  checkbox: 'boolean',
  number: 'number',
  range: 'number',
  'select-one': 'choice',
  'select-multiple': 'multi',
}

/** The kind of a field, by all controls of its name. The server reads HTML by the same rules. */
export function kindOf(controls: Element[]): ControlKind {
  if (controls.every((control) => typeOf(control) === 'radio')) return 'choice'
  if (controls.length > 1) return 'multi'
  return KINDS[typeOf(controls[0]!)] ?? 'text'
}

/** '' for custom elements without a `type`. */
export function typeOf(control: Element): string {
  return 'type' in control ? String(control.type) : ''
}

/** Describes the fields for the owner's report. */
export function describeControls(fields: Map<string, Element[]>): FormControl[] {
  return [...fields]
    .filter(([name]) => name.length <= MAX_NAME_CHARS)
    .slice(0, MAX_FIELDS)
    .map(([name, controls]) => ({ name, label: labelOf(name, controls), kind: kindOf(controls) }))
}

/** The first own label; else that of a fieldset in which all options belong to this field. */
function labelOf(name: string, controls: Element[]): string | null {
  for (const control of controls) {
    const label = ownLabel(control)
    if (label !== null) return label
  }
  const options = 'input:is([type=radio i],[type=checkbox i])'
  for (const control of controls) {
    const fieldset = control.matches(options) && control.closest('fieldset[data-label]')
    if (!fieldset) continue
    const others = fieldset.querySelectorAll(options)
    if ([...others].every((other) => [name, ''].includes((other as HTMLInputElement).name))) {
      return ownLabel(fieldset)
    }
  }
  return null
}

function ownLabel(element: Element): string | null {
  const label = element.getAttribute('data-label')?.trim() ?? ''
  return label === '' ? null : label.slice(0, MAX_LABEL_CHARS)
}
