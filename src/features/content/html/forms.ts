import type { ControlKind, FormControl } from '../../../model/form.ts'
import { MAX_WARNINGS } from '../../../model/page/warnings.ts'
import type { WarningCode } from '../contract.ts'
import { type FoundWarning, warn } from '../warnings.ts'
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
  line: number
  /** '' where it has none that can be used. */
  name: string
  label: string | null
  kind: ControlKind
  isRadio: boolean
  /** The form around it, or the id in its `form` attribute. */
  form: Form | string
  /** The labelled fieldset around a radio or checkbox. */
  fieldset: Fieldset | null
  /** Why what visitors enter there is not sent. */
  problem: WarningCode | null
}

type ServiceControl = Control & { form: Form }

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
    const mayBeField = FIELDS.has(tag.name) && (typeof form === 'string' || form.isService)
    if (!mayBeField || controls.length === MAX_CANDIDATES) return
    const fieldset = fieldsets.at(-1) ?? null
    const control = readControl(buffer, tag, { form, fieldset, line: lineOf(tag.start) })
    if (control !== null) controls.push(control)
  }
  /** The controls that belong to a form whose responses are collected. */
  function serviceControls(): ServiceControl[] {
    return controls.flatMap((control) => {
      const form = formOf(control.form)
      return form?.isService ? [{ ...control, form }] : []
    })
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
    controls: () => fieldsOf(serviceControls()),
    warnings(): FoundWarning[] {
      const untaken = forms.filter((form) => form.hasControl && !form.hasTarget)
      const ofService = serviceControls()
      const warnings = [
        ...untaken.map(({ line }) => warn('form_goes_nowhere', line)),
        ...ofService.flatMap(({ problem, line }) => (problem === null ? [] : warn(problem, line))),
        ...replacingForms(ofService).map(({ line }) => warn('replacing_form', line)),
      ]
      const certain = warnings.filter(({ code }) => code === 'file_input_ignored' || !mayHandle)
      return certain.slice(0, MAX_WARNINGS)
    },
  }
}

export type FormFinder = ReturnType<typeof createFormFinder>

/** @returns null for a button, and for a hidden control without a name */
function readControl(
  buffer: Buffer,
  tag: Tag,
  around: { form: Form | string; fieldset: Fieldset | null; line: number },
): Control | null {
  const { form, line } = around
  const type = tag.name === 'input' ? (attributeText(buffer, tag, 'type') ?? '').toLowerCase() : ''
  const ownName = attributeText(buffer, tag, 'name') ?? ''
  const name = ownName.length > MAX_NAME_CHARS || ownName.includes('\0') ? '' : ownName
  if (BUTTONS.has(type) || (type === 'hidden' && name === '')) return null
  const isRadio = type === 'radio'
  const fieldset = isRadio || type === 'checkbox' ? around.fieldset : null
  if (name !== '' && fieldset !== null && fieldset.names.size < 2) fieldset.names.add(name)
  const isFixed = ['disabled', 'readonly'].some((each) => findAttribute(tag, each) !== undefined)
  const unnamed = ownName === '' && !isFixed ? 'unnamed_field' : null
  const problem = type === 'file' ? 'file_input_ignored' : unnamed
  const label = ownLabel(buffer, tag)
  return { line, name, label, kind: ownKind(tag, type), isRadio, form, fieldset, problem }
}

/** The forms without some fields of the first, whose response theirs replaces. */
function replacingForms(controls: ServiceControl[]): Form[] {
  const named = controls.filter(({ name }) => name !== '')
  const byForm = Map.groupBy(named, ({ form }) => form)
  const lists = [...byForm].map(
    ([form, own]) => [form, new Set(own.map(({ name }) => name))] as const,
  )
  const replacing = lists.filter(([, names]) => !lists[0]![1].isSubsetOf(names))
  return replacing.slice(0, MAX_WARNINGS).map(([form]) => form)
}

function fieldsOf(controls: ServiceControl[]): FormControl[] {
  const fields = Map.groupBy(controls, ({ name }) => name)
  fields.delete('')
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
