import { AUTHOR_MARKS, writesLinks } from '../../authors.ts'
import { fill, h } from '../elements.ts'
import { timeElement } from '../time.ts'
import { wordsOf } from './composer.ts'
import { linkedText } from './linked-text.ts'
import type { Shown, Thread } from './thread-state.ts'

export interface CommentActions {
  isOwner(): boolean
  /** Whether the page marks the thread's passage or spot. */
  isMarked(threadId: string): boolean
  /** Shows it there. */
  reveal(threadId: string): void
  editableUntilMs(id: string): number
  reply(thread: Thread): void
  edit(comment: Shown): void
  /** Deletes one's own comment, or as the owner any. */
  remove(comment: Shown): Promise<void>
  /** As the owner. */
  change(comment: Shown, change: object): Promise<void>
  /** The address of a file of the deck; null if it is shown. */
  addressOf(path: string): string | null
}

const QUOTE_CHARS = 200

/** One comment, as an article with what can be done with it. */
export function commentView(
  comment: Shown,
  { thread, actions }: { thread: Thread; actions: CommentActions },
): HTMLElement {
  const problem = h('p', { class: 'error', role: 'alert' })
  const isThread = comment === thread
  if (comment.placeholder !== null) {
    const what = comment.placeholder === 'deleted' ? 'deleted by its author' : 'hidden'
    return h(
      'article',
      { class: 'comment' },
      h('p', { class: 'hint' }, `A comment that was ${what}.`),
    )
  }
  return h(
    'article',
    { class: comment.is_hidden ? 'comment is-hidden' : 'comment', 'data-id': comment.id },
    heading(comment),
    isThread && aboutView(comment, actions),
    h('div', { class: 'words', dir: 'auto' }, ...wordsIn(comment)),
    isThread && answered(comment),
    comment.is_hidden && h('p', { class: 'hint' }, 'Hidden: only you see this.'),
    tools(comment, { thread, actions, problem }),
    problem,
  )
}

function wordsIn({ author, body }: Shown): (Node | string)[] {
  return writesLinks((author ?? OWNER).kind) ? linkedText(body) : [body]
}

const OWNER = { kind: 'owner', name: null } as const

function heading({ author, created_at: at, edited_at: editedAt }: Shown): HTMLElement {
  const { kind, name } = author ?? OWNER
  const { text, title } = AUTHOR_MARKS[kind]
  return h(
    'header',
    {},
    h('b', { dir: 'auto' }, name ?? 'The owner'),
    h('span', { class: `mark ${kind}`, title }, text),
    timeElement(at),
    editedAt && h('span', { class: 'hint' }, 'edited'),
  )
}

/** What the comment is about: the file of a deck, and the passage or spot. */
export function aboutView(comment: Shown, actions: CommentActions): HTMLElement | null {
  const { id, path, anchor, anchor_state: state, version_no: no } = comment
  const address = path === '' ? null : actions.addressOf(path)
  if (address === null && anchor === null) return null
  const words = anchor === null ? '' : wordsOf(anchor)
  const shown = words.length > QUOTE_CHARS ? `${words.slice(0, QUOTE_CHARS)}…` : words
  const quote = actions.isMarked(id)
    ? h('button', { type: 'button', onclick: () => actions.reveal(id) }, shown)
    : shown
  return h(
    'div',
    { class: 'about' },
    address !== null && h('a', { href: address, class: 'hint' }, `in ${path}`),
    anchor !== null && h('blockquote', { dir: 'auto' }, quote),
    state === 'outdated' &&
      h('p', { class: 'hint' }, `Not in the page as it is now. Written on version ${no}.`),
  )
}

function answered({ state, addressed_in: version }: Shown): HTMLElement | null {
  if (state !== 'resolved' || version === null) return null
  return h('p', { class: 'hint' }, `Changed in version ${version}.`)
}

interface ToolContext {
  thread: Thread
  actions: CommentActions
  problem: HTMLElement
}

function tools(comment: Shown, { thread, actions, problem }: ToolContext): HTMLElement {
  const isThread = comment === thread
  const isOwner = actions.isOwner()
  const isOwn = actions.editableUntilMs(comment.id) > Date.now()
  const isOwners = isOwner && comment.author?.kind === 'owner'
  const tool = (label: string, act: () => unknown) =>
    h('button', { type: 'button', class: 'tool', onclick: () => run(act) }, label)

  async function run(act: () => unknown): Promise<void> {
    fill(problem)
    try {
      await act()
    } catch (err) {
      fill(problem, (err as Error).message)
    }
  }

  const isHidden = comment.is_hidden === true
  const isResolved = comment.state === 'resolved'
  return h(
    'div',
    { class: 'tools' },
    isThread && !isHidden && tool('Reply', () => actions.reply(thread)),
    (isOwn || isOwners) && tool('Edit', () => actions.edit(comment)),
    isOwner &&
      isThread &&
      tool(isResolved ? 'Reopen' : 'Resolve', () =>
        actions.change(comment, { state: isResolved ? 'open' : 'resolved' }),
      ),
    isOwner &&
      tool(isHidden ? 'Restore' : 'Hide', () => actions.change(comment, { is_hidden: !isHidden })),
    (isOwn || isOwner) && deleteTool(comment, thread, () => run(() => actions.remove(comment))),
  )
}

/** Asks for confirmation, and names what is deleted. */
function deleteTool(comment: Shown, thread: Thread, remove: () => Promise<void>): HTMLElement {
  const count = comment === thread ? thread.replies.length : 0
  const replies = count === 0 ? '' : count === 1 ? ' and 1 reply' : ` and ${count} replies`
  let isAsked = false
  const button = h(
    'button',
    {
      type: 'button',
      class: 'tool',
      onclick() {
        if (isAsked) return void remove()
        isAsked = true
        button.classList.add('error')
        fill(button, `Delete comment${replies} for good`)
      },
      onblur() {
        isAsked = false
        button.classList.remove('error')
        fill(button, 'Delete comment')
      },
    },
    'Delete comment',
  )
  return button
}
