import type { ControlKind, FormControl } from '../../src/model/form.ts'
import { dispatch, own, showError, showState } from './form-state.ts'
import { HONEYPOT, honeypotIn } from './honeypot.ts'
import type { Outbox, SubmitListener } from './outbox.ts'
import type { FormSubmit } from './stub-queue.ts'
import type { Payload } from './submission.ts'
import { type SubmitError, submitError, UNANSWERED } from './submission.ts'

/** `:where` has no specificity, so every rule of the page takes precedence. */
const RULES = `
:where([data-service-message]) {
  flex-basis: 100%;
  grid-column: 1 / -1;
  margin-block: 0.75em 0;
  overflow-wrap: anywhere;
}
:where([data-service-message][role=alert]) { font-weight: 600 }
`

const BUTTONS = new Set(['submit', 'image', 'reset', 'button'])
/** Responses hold no files; fieldsets and outputs have no value to submit. */
const NOT_COLLECTED = new Set(['file', 'fieldset', 'output'])

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

const NO_FILES = 'Nothing was sent: this form cannot send files. Remove the file and send again.'
const SENT = 'Sent. Thank you.'

/** Sends forms and shows the state of each. */
export function createForms(outbox: Outbox, typed: Set<unknown>) {
  const style = createStyle()
  const sending = new WeakSet<HTMLFormElement>()
  /** Functions that cancel the form's last submission if it still waits in the outbox. */
  const cancellers = new WeakMap<HTMLFormElement, () => void>()

  function createListener({ form, submitter }: FormSubmit): Required<SubmitListener> {
    let enableButtons = () => {}
    const end = () => {
      sending.delete(form)
      enableButtons()
    }
    const stop = (error: SubmitError) => {
      end()
      // The page's script may have disabled it since the press.
      if (submitter !== null) (submitter as HTMLButtonElement).disabled = false
      showError(formInPlace(form) ?? document.body, error)
    }
    return {
      sending() {
        sending.add(form)
        enableButtons = disableSubmitButtons(form)
        // The stub has emptied the message. If it has said since that nothing is sent, that stays.
        showState(form, 'sending')
      },
      sent(receipt) {
        end()
        const place = formInPlace(form) ?? form
        showState(place, 'sent', own(form).getAttribute('data-success') ?? SENT)
        dispatch(place, 'service:submitted', receipt)
      },
      failed(error) {
        typed.add(form)
        stop(error)
      },
      // While it waits, the outbox asks.
      waiting: () => stop(submitError('offline', UNANSWERED)),
    }
  }

  return {
    submit({ form, submitter }: FormSubmit): void {
      if (sending.has(form)) return
      typed.delete(form)
      cancellers.get(form)?.()
      style.adopt(own(form).getRootNode())
      const listener = createListener({ form, submitter })
      if (elementsOf(form).some(hasChosenFile)) {
        listener.failed(submitError('files', NO_FILES))
        return
      }
      const payload = collectForm(form, submitter)
      listener.sending()
      cancellers.set(form, outbox.add(payload, listener))
    },
  }
}

/** If the page has removed the form, the one with the same fields that it has made in its place. */
function formInPlace(form: HTMLFormElement): HTMLFormElement | null {
  if (own(form).isConnected) return form
  const namesOf = (each: HTMLFormElement) => [...fieldsOf(each, null).keys()].join('\n')
  const forms = document.querySelectorAll<HTMLFormElement>('form[data-service]')
  return [...forms].find((each) => namesOf(each) === namesOf(form)) ?? null
}

/** Responses hold no files: sending the rest would look as if the file had arrived. */
function hasChosenFile(element: Element): boolean {
  if (!(element instanceof HTMLInputElement) || element.type !== 'file') return false
  return !element.matches(':disabled') && (element.files?.length ?? 0) > 0
}

/** Adopts a constructed style sheet, to which the page's own CSP does not apply. */
function createStyle() {
  let styleSheet: CSSStyleSheet | undefined
  return {
    adopt(root: Node | Partial<DocumentOrShadowRoot>): void {
      if (!('adoptedStyleSheets' in root)) return
      if (styleSheet === undefined) {
        styleSheet = new CSSStyleSheet()
        styleSheet.replaceSync(RULES)
      }
      if (root.adoptedStyleSheets.includes(styleSheet)) return
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, styleSheet]
    },
  }
}

type Value = string | number | boolean | string[] | number[]

/** Collects what a browser would submit now, but with types and in document order. */
function collectForm(form: HTMLFormElement, submitter: HTMLElement | null): Payload {
  const isOwn = (submitter as HTMLButtonElement | null)?.form === form
  const submitted = textValues(new FormData(form, isOwn ? submitter : null))
  const fields = fieldsOf(form, submitter)
  const data = new Map<string, Value>()
  for (const [name, controls] of fields) {
    const texts = submitted.get(name) ?? []
    const pressed = controls.find((control) => control === submitter) as HTMLButtonElement
    // The page's script may have disabled the button since.
    if (pressed && !texts.includes(pressed.value)) texts.push(pressed.value)
    const value = fieldValue(controls, texts)
    if (value !== undefined) data.set(name, value)
  }
  // Values that the page's script adds to the form data, and the point pressed in an image.
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
 * @param texts what a browser submits of that name
 */
function fieldValue(controls: Element[], texts: string[]): Value | undefined {
  const kind = kindOf(controls)
  const numbers = texts.filter((text) => text !== '').map(Number)
  const isNumeric = controls.every((control) => KINDS[typeOf(control)] === 'number')
  const values = isNumeric && !numbers.some(Number.isNaN) ? numbers : texts
  if (values.length === 0 && controls.every((control) => control.matches(':disabled'))) return
  if (kind === 'boolean') return values.length > 0
  return kind === 'multi' || values.length > 1 ? values : values[0]
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
  const members = [...data].map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
  return `{${members.join(',')}}`
}

/** The kind of a field, by all controls of its name. The server reads HTML by the same rules. */
function kindOf(controls: Element[]): ControlKind {
  if (controls.every((control) => typeOf(control) === 'radio')) return 'choice'
  if (controls.length > 1) return 'multi'
  return KINDS[typeOf(controls[0]!)] ?? 'text'
}

/** '' for custom elements without a `type`. */
function typeOf(control: Element): string {
  return 'type' in control ? String(control.type) : ''
}

/** Describes the fields for the owner's report. */
function describeControls(fields: Map<string, Element[]>): FormControl[] {
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

function elementsOf(form: HTMLFormElement): Element[] {
  return [...own(form).elements]
}

/** @returns a function that enables the buttons again and restores the focus */
function disableSubmitButtons(form: HTMLFormElement): () => void {
  const buttons = elementsOf(form).filter(isEnabledSubmitButton)
  const root = own(form).getRootNode() as Partial<DocumentOrShadowRoot>
  const pressed = buttons.find((button) => button === root.activeElement)
  for (const button of buttons) button.disabled = true
  return () => {
    for (const button of buttons) button.disabled = false
    const isFocusElsewhere = root.activeElement && root.activeElement !== document.body
    if (!isFocusElsewhere) pressed?.focus({ preventScroll: true })
  }
}

function isEnabledSubmitButton(element: Element): element is HTMLButtonElement | HTMLInputElement {
  const isButton = element instanceof HTMLButtonElement || element instanceof HTMLInputElement
  return isButton && element.type === 'submit' && !element.disabled
}
