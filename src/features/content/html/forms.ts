import type { ControlKind, FormControl } from '../../../model/form.ts'
import { oneLine } from './text.ts'
import { attributeText, findAttribute, type Tag } from './tokens.ts'

/** Fields past this many in one file are left out; they read as their values do. */
const MAX_FIELDS = 500
/** Of what may become fields, and of forms with an id, a file's first so many are kept. */
const MAX_CANDIDATES = 10_000
const MAX_NAME_CHARS = 1000
const MAX_LABEL_CHARS = 200

const BUTTONS = new Set(['submit', 'image', 'reset', 'button'])
const INPUT_KINDS = new Map<string, ControlKind>([
  ['radio', 'choice'],
  ['checkbox', 'boolean'],
  ['number', 'number'],
  ['range', 'number'],
])

interface Form {
  isService: boolean
}

interface Fieldset {
  label: string
  /** The names of the radios and checkboxes in it, until they are two. */
  names: Set<string>
}

interface Control {
  name: string
  label: string | null
  kind: ControlKind
  isRadio: boolean
  /** The form around it, or the id of the one that its `form` attribute names. */
  form: Form | string
  /** The labelled fieldset around a radio or checkbox. */
  fieldset: Fieldset | null
}

/**
 * Finds the fields of the forms that are collected. Whose a control is, the HTML parser decides by
 * the last form tag and not by nesting, so that no tree is needed. Tags in templates stay outside.
 */
export function createFormFinder(buffer: Buffer) {
  const controls: Control[] = []
  /** By id: the first that has it. */
  const forms = new Map<string, Form>()
  const fieldsets: (Fieldset | null)[] = []
  let open: Form | null = null

  function startForm(tag: Tag) {
    if (open !== null) return
    open = { isService: findAttribute(tag, 'data-service') !== undefined }
    const id = attributeText(buffer, tag, 'id') ?? ''
    if (id !== '' && !forms.has(id) && forms.size < MAX_CANDIDATES) forms.set(id, open)
  }
  function startFieldset(tag: Tag) {
    const label = ownLabel(buffer, tag)
    const around = fieldsets.at(-1) ?? null
    fieldsets.push(label === null ? around : { label, names: new Set() })
  }
  function addControl(tag: Tag) {
    const form = attributeText(buffer, tag, 'form') ?? open
    if (form === null || (typeof form === 'object' && !form.isService)) return
    if (controls.length === MAX_CANDIDATES) return
    const type = typeOf(buffer, tag)
    const name = attributeText(buffer, tag, 'name') ?? ''
    if (BUTTONS.has(type) || !isFieldName(name)) return
    const isRadio = type === 'radio'
    const isOption = isRadio || type === 'checkbox'
    const fieldset = isOption ? (fieldsets.at(-1) ?? null) : null
    if (fieldset !== null && fieldset.names.size < 2) fieldset.names.add(name)
    const label = ownLabel(buffer, tag)
    controls.push({ name, label, kind: ownKind(tag, type), isRadio, form, fieldset })
  }

  return {
    startTag(tag: Tag) {
      if (tag.namespace !== 'html') return
      switch (tag.name) {
        case 'form':
          return startForm(tag)
        case 'fieldset':
          return startFieldset(tag)
        case 'input':
        case 'select':
        case 'textarea':
          return addControl(tag)
      }
    },
    endTag(name: string) {
      if (name === 'form') open = null
      else if (name === 'fieldset') fieldsets.pop()
    },
    found(): FormControl[] {
      const owned = controls.flatMap((control) => {
        const form = typeof control.form === 'string' ? forms.get(control.form) : control.form
        return form?.isService ? [{ ...control, form }] : []
      })
      const fields = Map.groupBy(owned, ({ name }) => name)
      return [...fields].slice(0, MAX_FIELDS).map(([name, same]) => {
        const inFirstForm = same.filter(({ form }) => form === same[0]!.form)
        return { name, label: labelOf(same), kind: kindOf(inFirstForm) }
      })
    },
  }
}

/** One list of fields: where a name comes back, its first kind and its first label count. */
export function mergeControls(lists: FormControl[][], maxFields: number): FormControl[] {
  const fields = Map.groupBy(lists.flat(), ({ name }) => name)
  return [...fields.values()].slice(0, maxFields).map((same) => {
    const label = same.find((field) => field.label !== null)?.label ?? null
    return { ...same[0]!, label }
  })
}

/**
 * Controls of one name, unless they are radios, each send a value of their own: what arrives is a
 * list, whatever its items are.
 */
function kindOf(controls: Control[]): ControlKind {
  if (controls.every(({ isRadio }) => isRadio)) return 'choice'
  return controls.length > 1 ? 'multi' : controls[0]!.kind
}

/** Their own, else that of a fieldset which asks nothing else. */
function labelOf(controls: Control[]): string | null {
  const labelled = controls.find(({ label }) => label !== null)
  const grouped = controls.find(({ fieldset }) => fieldset?.names.size === 1)
  return labelled?.label ?? grouped?.fieldset?.label ?? null
}

function ownLabel(buffer: Buffer, tag: Tag): string | null {
  return oneLine(attributeText(buffer, tag, 'data-label') ?? '', MAX_LABEL_CHARS)
}

function ownKind(tag: Tag, type: string): ControlKind {
  if (tag.name !== 'select') return INPUT_KINDS.get(type) ?? 'text'
  return findAttribute(tag, 'multiple') === undefined ? 'choice' : 'multi'
}

function typeOf(buffer: Buffer, tag: Tag): string {
  return tag.name === 'input' ? (attributeText(buffer, tag, 'type') ?? '').toLowerCase() : ''
}

function isFieldName(name: string): boolean {
  return name !== '' && name.length <= MAX_NAME_CHARS && !name.includes('\0')
}
