import type { Anchor } from '../../../src/model/anchor.ts'
import type { AnchorElement } from '../../../src/model/anchor-element.ts'
import { field, fill, h, newId } from '../elements.ts'
import { PanelError, type TabContext } from '../tab.ts'
import type { Draft, Drafts } from './drafts.ts'
import type { Places } from './model.ts'

const UNSENT = 'This is not sent yet.'
const MAX_NAME = 80

export interface ComposerOptions {
  context: TabContext
  drafts: Drafts
  /** The comment that is replied to; '' for a new one. */
  place: string
  /** Whether a confirmed address is needed. */
  requiresEmail(): boolean
  /** The comment is stored. */
  onPosted(): void
  /** For a reply: the visitor cancelled it. */
  onCancel?: () => void
  /** For a new comment: the visitor chooses what it is about. */
  pick?: Places['pick']
}

export interface Composer {
  form: HTMLFormElement
  /** Makes the comment one about this passage or spot, and goes to the text. */
  writeAbout(anchor: Anchor): void
}

interface Posted {
  comment: { id: string; body: string }
}

/** The form of a new comment or reply. It keeps its text until the server has stored it. */
export function createComposer(options: ComposerOptions): Composer {
  const { context, drafts, place, requiresEmail, onPosted, onCancel, pick } = options
  const isReply = place !== ''
  const text = h('textarea', { name: 'comment', rows: isReply ? 2 : 3, dir: 'auto' })
  const name = h('input', {
    ...{ name: 'name', autocomplete: 'name', maxlength: MAX_NAME, dir: 'auto' },
    placeholder: 'Optional',
    value: drafts.name(),
  })
  const trap = h('input', { name: 'website', tabindex: -1, autocomplete: 'off' })
  const problem = h('p', { class: 'error', role: 'alert' })
  const confirm = h('div', {})
  const about = h('div', { class: 'about', hidden: true })
  const button = h('button', { class: 'button' }, isReply ? 'Reply' : 'Post comment')
  let isBusy = false

  function showProblem(message: string): void {
    fill(problem, message)
  }

  /** Sends the text with the id of an earlier attempt, so that it is stored once. */
  async function deliver(): Promise<void> {
    const draft = drafts.get(place)
    const id = draft.id ?? newId()
    const body = text.value
    drafts.set(place, { ...draft, text: body, id, sentText: draft.sentText ?? body })
    const { comment } = await context.call<Posted>('/~/comments/post', {
      id,
      body,
      name: name.value,
      ...(isReply && { parent_id: place }),
      ...(draft.anchor !== null && aboutOf(draft.anchor)),
      ...(trap.value !== '' && { trap: trap.value }),
    })
    // The text was changed after an attempt that seemed to fail, but had arrived.
    if (draft.sentText !== null && draft.sentText !== body) {
      await context.call('/~/comments/edit', { comment_id: comment.id, body })
    }
  }

  async function post(): Promise<void> {
    if (text.value.trim() === '') return text.focus()
    drafts.setName(name.value)
    if (requiresEmail() && context.viewer.current.kind === 'anonymous') {
      showProblem(`${UNSENT} Confirm your email address first.`)
      await context.confirmEmail(confirm, 'comment')
    }
    setBusy(true)
    try {
      await deliver()
      drafts.remove(place)
      text.value = ''
      showAbout(null)
      showProblem('')
      context.announce(isReply ? 'Your reply is posted' : 'Your comment is posted')
      onPosted()
    } catch (err) {
      if (!(err instanceof PanelError)) throw err
      showProblem(`${UNSENT} ${err.message}`)
    } finally {
      setBusy(false)
    }
  }

  function setBusy(busy: boolean): void {
    isBusy = busy
    button.disabled = busy
    text.readOnly = busy
  }

  function keep(): void {
    drafts.set(place, { ...drafts.get(place), text: text.value })
  }

  function setAbout(anchor: Anchor | null): void {
    const passage = anchor && { stamp: context.frame.stamp(), at: anchor }
    // Another comment: what was sent before was about something else.
    drafts.set(place, { text: text.value, id: null, sentText: null, anchor: passage })
    showAbout(anchor)
  }

  function showAbout(anchor: Anchor | null): void {
    about.hidden = anchor === null
    fill(about)
    if (anchor === null) return
    const remove = () => {
      setAbout(null)
      text.focus()
    }
    fill(
      about,
      h('blockquote', { dir: 'auto' }, wordsOf(anchor)),
      h(
        'button',
        { type: 'button', class: 'tool', onclick: remove },
        'Comment on the page instead',
      ),
    )
  }

  const kept = drafts.get(place)
  text.value = kept.text
  showAbout(kept.anchor?.at ?? null)
  if (kept.id !== null) showProblem(`${UNSENT} Post it again.`)
  text.addEventListener('input', keep)
  const nameField = field('Your name', name)
  const showName = () => {
    nameField.hidden = context.viewer.current.kind === 'owner'
  }
  showName()
  context.viewer.onChange(showName)
  const cancel =
    onCancel && h('button', { type: 'button', class: 'button quiet', onclick: onCancel }, 'Cancel')
  const choose =
    pick && h('button', { type: 'button', class: 'button quiet', onclick: pick.start }, pick.label)
  const form = h(
    'form',
    {
      class: isReply ? 'stack composer reply' : 'stack composer',
      onsubmit(event) {
        event.preventDefault()
        if (!isBusy) void post()
      },
      onkeydown(event) {
        const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
        if (isSend && !isBusy) void post()
      },
    },
    about,
    field('Comment', text),
    nameField,
    h('div', { class: 'trap', 'aria-hidden': 'true' }, trap),
    confirm,
    problem,
    h('div', { class: 'row' }, button, choose, cancel),
  )
  return {
    form,
    writeAbout(anchor) {
      setAbout(anchor)
      text.focus()
    },
  }
}

function aboutOf({ stamp, at }: NonNullable<Draft['anchor']>): object {
  return { anchor: at, ...(stamp !== undefined && { stamp }) }
}

/** What people call an element. */
const NAMES: Record<string, string> = {
  ...{ img: 'image', svg: 'drawing', canvas: 'drawing', iframe: 'embedded page', a: 'link' },
  ...{ p: 'paragraph', li: 'list item', td: 'cell', th: 'cell', pre: 'text', blockquote: 'quote' },
  ...{ h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading' },
  ...{ input: 'field', textarea: 'field', select: 'field', div: 'part', span: 'text' },
}

interface Described {
  quote?: string | undefined
  sheet?: number | undefined
  element: AnchorElement | null
}

/** What a comment is about, in words. */
export function wordsOf({ quote, sheet, element }: Described): string {
  if (quote) return quote
  if (sheet !== undefined) return `A spot on page ${sheet}`
  if (element === null) return 'A spot on the image'
  const { tag, text } = element
  return `The ${NAMES[tag] ?? tag} ${text}`.trim()
}
