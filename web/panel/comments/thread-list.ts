import { h } from '../elements.ts'
import { type CommentActions, commentView } from './comment-view.ts'
import type { Shown, Thread } from './thread-state.ts'

/** How many threads are built before the browser paints, and then at a time. */
const CHUNK = 60
const SUMMARY_CHARS = 60

interface Entry {
  item: HTMLLIElement
  /** What it was built from. */
  key: string
}

export interface ThreadListOptions {
  actions: CommentActions
  /** The form of a reply that is being written; null if there is none. */
  replyForm(threadId: string): HTMLElement | null
  /** The form that changes a comment; null if it is not being changed. */
  editForm(comment: Shown): HTMLElement | null
}

/** The threads, of which only those that changed are built again. */
export function createThreadList(list: HTMLOListElement, options: ThreadListOptions) {
  const { actions, replyForm, editForm } = options
  const entries = new Map<string, Entry>()
  let turn = 0

  function show(comment: Shown, thread: Thread): HTMLElement {
    return editForm(comment) ?? commentView(comment, { thread, actions })
  }

  function build(thread: Thread): HTMLLIElement {
    const replies = thread.replies.map((reply) => h('li', {}, show(reply, thread)))
    const letter = h(
      'div',
      { class: 'thread' },
      show(thread, thread),
      replies.length > 0 && h('ol', { class: 'replies', 'aria-label': 'Replies' }, ...replies),
      replyForm(thread.id),
    )
    return h(
      'li',
      { 'data-thread': thread.id },
      thread.state === 'resolved' ? folded(thread, letter) : letter,
    )
  }

  function keyOf(thread: Thread): string {
    const until = [thread, ...thread.replies].map(
      ({ id }) => actions.editableUntilMs(id) > Date.now(),
    )
    return JSON.stringify([thread, until, actions.isOwner(), actions.isMarked(thread.id)])
  }

  /** The item of a thread: the one that is there, if nothing of it has changed. */
  function itemOf(thread: Thread, isForced: boolean): HTMLLIElement {
    const key = keyOf(thread)
    const entry = entries.get(thread.id)
    if (entry?.key === key && !isForced) return entry.item
    const focused = entry?.item.getRootNode() as ShadowRoot | undefined
    const active = focused?.activeElement ?? null
    const item = build(thread)
    if (entry !== undefined) {
      const wasOpen = entry.item.querySelector('details')?.open === true
      const details = item.querySelector('details')
      if (details !== null) details.open = wasOpen
      entry.item.replaceWith(item)
      if (active instanceof HTMLElement && item.contains(active)) active.focus()
    }
    entries.set(thread.id, { item, key })
    return item
  }

  function forget(threads: readonly Thread[]): void {
    const ids = new Set(threads.map(({ id }) => id))
    for (const [id, { item }] of entries) {
      if (ids.has(id)) continue
      item.remove()
      entries.delete(id)
    }
  }

  return {
    /** Shows these threads, oldest first: the newest at once, and earlier ones bit by bit. */
    show(threads: readonly Thread[]): void {
      turn += 1
      const own = turn
      forget(threads)
      let next: HTMLLIElement | null = null
      let at = threads.length
      const step = () => {
        if (own !== turn) return
        const from = Math.max(0, at - CHUNK)
        for (; at > from; at--) {
          const item = itemOf(threads[at - 1]!, false)
          if (item.nextSibling !== next || item.parentNode !== list) list.insertBefore(item, next)
          next = item
        }
        if (at > 0) setTimeout(step)
      }
      step()
    },
    /** Builds one thread again: a form in it was opened or closed. */
    rebuild(thread: Thread): void {
      itemOf(thread, true)
    },
    itemOf: (threadId: string): HTMLLIElement | null => entries.get(threadId)?.item ?? null,
  }
}

/** A resolved thread: its first words, which unfold it. */
function folded(thread: Thread, letter: HTMLElement): HTMLElement {
  const words = thread.body.replace(/\s+/g, ' ')
  const short = words.length > SUMMARY_CHARS ? `${words.slice(0, SUMMARY_CHARS)}…` : words
  const count = thread.replies.length
  const replies = count === 0 ? '' : count === 1 ? ', 1 reply' : `, ${count} replies`
  const summary = h(
    'summary',
    {},
    h('span', { class: 'hint' }, 'Resolved: '),
    h('span', { dir: 'auto' }, short || 'a comment'),
    replies,
  )
  const details = h('details', {}, summary, letter)
  return details
}
