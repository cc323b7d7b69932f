import { describe, kindOf, typeOf } from './controls.ts'
import { elementsOf } from './elements.ts'
import { HONEYPOT, honeypotIn } from './honeypot.ts'
import type { Payload } from './submission.ts'

type Value = string | number | boolean | (string | number)[]

const BUTTONS = new Set(['submit', 'image', 'reset', 'button'])
/** Responses hold no files; the others never send anything. */
const SILENT = new Set(['file', 'fieldset', 'output'])

/** What a form holds at this moment, as a browser would send it, but with types and an order. */
export function collect(form: HTMLFormElement, submitter: HTMLElement | null): Payload {
  const sent = textsOf(new FormData(form))
  const fields = fieldsOf(form, submitter)
  const data = new Map<string, Value>()
  for (const [name, controls] of fields) {
    const value = fieldValue(controls, sent.get(name))
    if (value !== undefined) data.set(name, value)
  }
  // What the page's own script adds to the form's data.
  for (const [name, texts] of sent) {
    if (!fields.has(name)) data.set(name, texts.length > 1 ? texts : texts[0]!)
  }
  const trap = honeypotIn(form)?.value
  return { data: textOf(data), controls: describe(fields), ...(trap && { trap }) }
}

function fieldsOf(form: HTMLFormElement, submitter: HTMLElement | null): Map<string, Element[]> {
  const fields = new Map<string, Element[]>()
  for (const element of elementsOf(form)) {
    const name = element.getAttribute('name') ?? ''
    const type = typeOf(element)
    if (name === '' || name === HONEYPOT || SILENT.has(type)) continue
    if (BUTTONS.has(type) && element !== submitter) continue
    fields.set(name, [...(fields.get(name) ?? []), element])
  }
  return fields
}

/**
 * Undefined where nothing is sent: nothing chosen, no number, all disabled.
 * @param texts what an element that the page has made itself gives the browser
 */
function fieldValue(controls: Element[], texts: string[] = []): Value | undefined {
  const free = controls.filter((control) => !control.matches(':disabled'))
  if (free.length === 0) return undefined
  const kind = kindOf(controls)
  if (kind === 'boolean') return (free[0] as HTMLInputElement).checked
  const values = free.every(isNative) ? free.flatMap(valuesOf) : texts
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

function textsOf(sent: FormData): Map<string, string[]> {
  const texts = new Map<string, string[]>()
  for (const [name, value] of sent) {
    if (typeof value !== 'string' || name === HONEYPOT) continue
    texts.set(name, [...(texts.get(name) ?? []), value])
  }
  return texts
}

/** An object would take `2` first, and `__proto__` not at all. */
function textOf(data: Map<string, Value>): string {
  const members = [...data].map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  )
  return `{${members.join(',')}}`
}
