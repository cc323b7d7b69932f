import { describeControls, kindOf, typeOf } from './controls.ts'
import { elementsOf } from './elements.ts'
import { HONEYPOT, honeypotIn } from './honeypot.ts'
import type { Payload } from './submission.ts'

type Value = string | number | boolean | (string | number)[]

const BUTTONS = new Set(['submit', 'image', 'reset', 'button'])
/** Responses hold no files; fieldsets and outputs have no value to submit. */
const NOT_COLLECTED = new Set(['file', 'fieldset', 'output'])

/** Collects what a browser would submit now, but with types and in document order. */
export function collectForm(form: HTMLFormElement, submitter: HTMLElement | null): Payload {
  const submitted = textValues(new FormData(form))
  const fields = fieldsOf(form, submitter)
  const data = new Map<string, Value>()
  for (const [name, controls] of fields) {
    const value = fieldValue(controls, submitted.get(name))
    if (value !== undefined) data.set(name, value)
  }
  // Values that the page's script adds to the form data.
  for (const [name, texts] of submitted) {
    if (!fields.has(name)) data.set(name, texts.length > 1 ? texts : texts[0]!)
  }
  const trap = honeypotIn(form)?.value
  return { data: toJson(data), controls: describeControls(fields), ...(trap && { trap }) }
}

function fieldsOf(form: HTMLFormElement, submitter: HTMLElement | null): Map<string, Element[]> {
  const fields = new Map<string, Element[]>()
  for (const element of elementsOf(form)) {
    const name = element.getAttribute('name') ?? ''
    const type = typeOf(element)
    if (name === '' || name === HONEYPOT || NOT_COLLECTED.has(type)) continue
    if (BUTTONS.has(type) && element !== submitter) continue
    fields.set(name, [...(fields.get(name) ?? []), element])
  }
  return fields
}

/**
 * Undefined if nothing is submitted: nothing is chosen, it is not a number, or all are disabled.
 *
 * @param texts what the page's custom elements of that name submit
 */
function fieldValue(controls: Element[], texts: string[] = []): Value | undefined {
  const enabled = controls.filter((control) => !control.matches(':disabled'))
  if (enabled.length === 0) return undefined
  const kind = kindOf(controls)
  if (kind === 'boolean') return (enabled[0] as HTMLInputElement).checked
  const values = enabled.every(isNative) ? enabled.flatMap(valuesOf) : texts
  return kind === 'multi' || values.length > 1 ? values : values[0]
}

type Native = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | HTMLButtonElement

function isNative(control: Element): control is Native {
  return /^(INPUT|SELECT|TEXTAREA|BUTTON)$/.test(control.tagName)
}

function valuesOf(control: Native): (string | number)[] {
  if (control instanceof HTMLSelectElement) {
    const chosen = [...control.selectedOptions].filter((option) => !option.matches(':disabled'))
    return chosen.map(({ value }) => value)
  }
  if (control instanceof HTMLInputElement) {
    const { type, value, checked, valueAsNumber } = control
    if (type === 'radio' || type === 'checkbox') return checked ? [value] : []
    if (type !== 'number' && type !== 'range') return [value]
    return Number.isNaN(valueAsNumber) ? [] : [valueAsNumber]
  }
  return [control.value]
}

function textValues(formData: FormData): Map<string, string[]> {
  const texts = new Map<string, string[]>()
  for (const [name, value] of formData) {
    if (typeof value !== 'string' || name === HONEYPOT) continue
    texts.set(name, [...(texts.get(name) ?? []), value])
  }
  return texts
}

/** Not from an object, which would move the key `2` to the front and lose `__proto__`. */
function toJson(data: Map<string, Value>): string {
  const members = [...data].map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  )
  return `{${members.join(',')}}`
}
