import { type FoundWarning, MAX_WARNINGS, warn } from '../warnings.ts'
import { attributeText, findAttribute, type Tag } from './tokens.ts'

interface Form {
  line: number
  /** Its responses are collected. */
  isService: boolean
  /** Something takes what it sends: the service, an address, a dialog or an event handler. */
  hasTarget: boolean
  /** It has a control that a visitor fills in, or a button that sends it. */
  hasControl: boolean
}

interface FileInput {
  line: number
  form: Form | string
}

const CONTROLS = new Set(['input', 'select', 'textarea', 'button'])
const UNSENT = new Set(['hidden', 'reset', 'button'])
/** How many forms of one file are considered. */
const MAX_FORMS = 10_000

/** An inline script with one of these words may take what a form sends. */
const MAY_HANDLE = /submit|form|listener|location|\bon[a-z]+\s*=/i

/**
 * Finds forms whose data nobody receives, and file inputs in forms that take no files. As in
 * `createFormFinder`, the last `<form>` tag decides which form a control belongs to.
 * @param isLeading whether an address leads somewhere
 */
export function createFormWarnings(buffer: Buffer, isLeading: (action: string) => boolean) {
  const forms: Form[] = []
  const byId = new Map<string, Form>()
  const fileInputs: FileInput[] = []
  let open: Form | null = null
  /** A script may find any form of the document, and take its data. */
  let mayHandle = false

  function startForm(tag: Tag, line: number) {
    if (open !== null) return
    const isService = findAttribute(tag, 'data-service') !== undefined
    open = { line, isService, hasTarget: isService || hasTarget(tag), hasControl: false }
    if (forms.length === MAX_FORMS) return
    forms.push(open)
    const id = attributeText(buffer, tag, 'id') ?? ''
    if (id !== '' && !byId.has(id)) byId.set(id, open)
  }
  function hasTarget(tag: Tag): boolean {
    const action = attributeText(buffer, tag, 'action')?.trim() ?? ''
    const isDialog = attributeText(buffer, tag, 'method')?.trim().toLowerCase() === 'dialog'
    return isDialog || (!/^(?:[?#]|$)/.test(action) && isLeading(action))
  }
  function addControl(tag: Tag, line: number) {
    const form = attributeText(buffer, tag, 'form') ?? open
    if (form === null) return
    const type = attributeText(buffer, tag, 'type')?.trim().toLowerCase() ?? ''
    const owner = typeof form === 'string' ? byId.get(form) : form
    if (owner !== undefined) {
      owner.hasControl ||= !UNSENT.has(type)
      owner.hasTarget ||= findAttribute(tag, 'formaction') !== undefined
    }
    const isFile = tag.name === 'input' && type === 'file'
    if (isFile && fileInputs.length < MAX_WARNINGS) fileInputs.push({ line, form })
  }

  return {
    /** @param lineOf counts on to the tag; called for tags of forms alone */
    startTag(tag: Tag, lineOf: (position: number) => number) {
      mayHandle ||= tag.attributes.some(({ name }) => name.startsWith('on'))
      if (tag.name === 'script') mayHandle ||= findAttribute(tag, 'src') !== undefined
      if (tag.namespace !== 'html') return
      if (tag.name === 'form') startForm(tag, lineOf(tag.start))
      else if (CONTROLS.has(tag.name)) addControl(tag, lineOf(tag.start))
    },
    endTag(name: string) {
      if (name === 'form') open = null
    },
    script(text: string) {
      mayHandle ||= MAY_HANDLE.test(text)
    },
    found(): FoundWarning[] {
      const lost = mayHandle ? [] : forms.filter((form) => form.hasControl && !form.hasTarget)
      const dropped = fileInputs.filter(({ form }) =>
        typeof form === 'string' ? byId.get(form)?.isService : form.isService,
      )
      return [
        ...lost.slice(0, MAX_WARNINGS).map(({ line }) => warn('form_goes_nowhere', line)),
        ...dropped.map(({ line }) => warn('file_input_ignored', line)),
      ]
    },
  }
}
