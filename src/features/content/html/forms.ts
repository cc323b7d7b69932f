import type { ControlKind, FormControl } from '../../../model/form.ts'
import { type FoundWarning, MAX_WARNINGS, warn } from '../warnings.ts'
import { createLineCounter } from './bytes.ts'
import { oneLine } from './text.ts'
import { attributeText, findAttribute, hasHandler, keyword, type Tag } from './tokens.ts'

/** How many fields of one file are found. The type of the others is inferred from their values. */
const MAX_FIELDS = 500
/** How many controls, and how many forms, of one file are considered. */
const MAX_CANDIDATES = 10_000
const MAX_NAME_CHARS = 1000
const MAX_LABEL_CHARS = 200

const FIELDS = new Set(['input', 'select', 'textarea'])
const BUTTONS = new Set(['submit', 'image', 'reset', 'button'])
/** What neither a visitor fills in nor sends a form. */
const UNSENT = new Set(['hidden', 'reset', 'button'])
const INPUT_KINDS = new Map<string, ControlKind>([
  ['radio', 'choice'],
  ['checkbox', 'boolean'],
  ['number', 'number'],
  ['range', 'number'],
])
/** An inline script with one of these words may take what a form sends. */
const MAY_HANDLE = /submit|form|listener|location|\bon[a-z]+\s*=/i

interface Form {
  line: number
  /** It has the attribute `data-service`: its responses are collected. */
  isService: boolean
  /** Something takes what it sends: the service, an address, a dialog or an event handler. */
  hasTarget: boolean
  /** It has a control that a visitor fills in, or a button that sends it. */
  hasControl: boolean
}

interface Fieldset {
  label: string
  /** The names of the radios and checkboxes in it; at most two of them. */
  names: Set<string>
}

interface Control {
  name: string
  label: string | null
  kind: ControlKind
  isRadio: boolean
  /** The form around it, or the id in its `form` attribute. */
  form: Form | string
  /** The labelled fieldset around a radio or checkbox. */
  fieldset: Fieldset | null
}

/**
 * Finds the fields of the forms whose responses are collected, forms whose data nobody receives,
 * and file inputs in forms that take no files. As in the HTML parser, the last `<form>` tag decides
 * which form a control belongs to, and not nesting, so that no tree is needed. The caller leaves
 * out tags in templates.
 *
 * @param isLeading whether an address leads somewhere
 */
export function createFormFinder(buffer: Buffer, isLeading: (action: string) => boolean) {
  const lineOf = createLineCounter((at) => buffer.indexOf(10, at))
  const forms: Form[] = []
  /** The first form that has an id counts. */
  const byId = new Map<string, Form>()
  const controls: Control[] = []
  const fileInputs: { line: number; form: Form | string }[] = []
  const fieldsets: (Fieldset | null)[] = []
  let open: Form | null = null
  /** A script may find any form of the document, and take its data. */
  let mayHandle = false

  function startForm(tag: Tag) {
    if (open !== null) return
    const isService = findAttribute(tag, 'data-service') !== undefined
    const target = isService || hasTarget(tag)
    open = { line: lineOf(tag.start), isService, hasTarget: target, hasControl: false }
    if (forms.length === MAX_CANDIDATES) return
    forms.push(open)
    const id = attributeText(buffer, tag, 'id') ?? ''
    if (id !== '' && !byId.has(id)) byId.set(id, open)
  }
  function hasTarget(tag: Tag): boolean {
    const action = attributeText(buffer, tag, 'action')?.trim() ?? ''
    const isDialog = keyword(buffer, tag, 'method') === 'dialog'
    return isDialog || (!/^(?:[?#]|$)/.test(action) && isLeading(action))
  }
  function startFieldset(tag: Tag) {
    const label = ownLabel(buffer, tag)
    const around = fieldsets.at(-1) ?? null
    fieldsets.push(label === null ? around : { label, names: new Set() })
  }
  const formOf = (form: Form | string) => (typeof form === 'string' ? byId.get(form) : form)
  function addControl(tag: Tag) {
    const form = attributeText(buffer, tag, 'form') ?? open
    if (form === null) return
    const type = keyword(buffer, tag, 'type')
    const owner = formOf(form)
    if (owner !== undefined) {
      owner.hasControl ||= !UNSENT.has(type)
      owner.hasTarget ||= findAttribute(tag, 'formaction') !== undefined
    }
    const isFile = tag.name === 'input' && type === 'file'
    if (isFile && fileInputs.length < MAX_WARNINGS) {
      fileInputs.push({ line: lineOf(tag.start), form })
    }
    const mayBeField = FIELDS.has(tag.name) && (typeof form === 'string' || form.isService)
    if (!mayBeField || controls.length === MAX_CANDIDATES) return
    const control = readControl(buffer, tag, { form, fieldset: fieldsets.at(-1) ?? null })
    if (control !== null) controls.push(control)
  }

  return {
    startTag(tag: Tag) {
      mayHandle ||= hasHandler(tag)
      if (tag.name === 'script') mayHandle ||= findAttribute(tag, 'src') !== undefined
      if (tag.namespace !== 'html') return
      if (tag.name === 'form') startForm(tag)
      else if (tag.name === 'fieldset') startFieldset(tag)
      else if (FIELDS.has(tag.name) || tag.name === 'button') addControl(tag)
    },
    endTag(name: string) {
      if (name === 'form') open = null
      else if (name === 'fieldset') fieldsets.pop()
    },
    script(text: string) {
      mayHandle ||= MAY_HANDLE.test(text)
    },
    controls: () => fieldsOf(controls, formOf),
    warnings(): FoundWarning[] {
      const untaken = mayHandle ? [] : forms.filter((form) => form.hasControl && !form.hasTarget)
      const ofService = fileInputs.filter(({ form }) => formOf(form)?.isService)
      return [
        ...untaken.slice(0, MAX_WARNINGS).map(({ line }) => warn('form_goes_nowhere', line)),
        ...ofService.map(({ line }) => warn('file_input_ignored', line)),
      ]
    },
  }
}

export type FormFinder = ReturnType<typeof createFormFinder>

/** @returns null for a button and for a control without a usable name */
function readControl(
  buffer: Buffer,
  tag: Tag,
  around: { form: Form | string; fieldset: Fieldset | null },
): Control | null {
  const type = typeOf(buffer, tag)
  const name = attributeText(buffer, tag, 'name') ?? ''
  if (BUTTONS.has(type) || !isFieldName(name)) return null
  const isRadio = type === 'radio'
  const fieldset = isRadio || type === 'checkbox' ? around.fieldset : null
  if (fieldset !== null && fieldset.names.size < 2) fieldset.names.add(name)
  const label = ownLabel(buffer, tag)
  return { name, label, kind: ownKind(tag, type), isRadio, form: around.form, fieldset }
}

/** The fields of the controls that belong to a form whose responses are collected. */
function fieldsOf(
  controls: Control[],
  formOf: (form: Control['form']) => Form | undefined,
): FormControl[] {
  const ofService = controls.flatMap((control) => {
    const form = formOf(control.form)
    return form?.isService ? [{ ...control, form }] : []
  })
  const fields = Map.groupBy(ofService, ({ name }) => name)
  return [...fields].slice(0, MAX_FIELDS).map(([name, same]) => {
    const inFirstForm = same.filter(({ form }) => form === same[0]!.form)
    return { name, label: labelOf(same), kind: kindOf(inFirstForm) }
  })
}

/** Merges lists of fields. Of fields with the same name the first kind and first label count. */
export function mergeControls(lists: FormControl[][], maxFields: number): FormControl[] {
  const fields = Map.groupBy(lists.flat(), ({ name }) => name)
  return [...fields.values()].slice(0, maxFields).map((same) => {
    const label = same.find((field) => field.label !== null)?.label ?? null
    return { ...same[0]!, label }
  })
}

/** Several controls of one name, other than radios, each send a value: the field is a list. */
function kindOf(controls: Control[]): ControlKind {
  if (controls.every(({ isRadio }) => isRadio)) return 'choice'
  return controls.length > 1 ? 'multi' : controls[0]!.kind
}

/** A label of the controls, else that of a fieldset with no controls of another name. */
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
