import { createSlices } from '../../../src/model/time-slices.ts'
import { h } from '../elements.ts'
import { aboutView, type CommentActions, commentView } from './comment-view.ts'
import type { Shown, Thread } from './thread-state.ts'

/** How many threads are built before the browser paints: more than a screen can show. */
const FIRST_THREADS = 24
const SUMMARY_CHARS = 60

interface Entry {
  item: HTMLLIElement
  /** The thread that it was built from. */
  thread: Thread
  rights: string
  place: string
}

export interface ThreadListOptions {
  actions: CommentActions
  /** The form of a reply that is being written; null if there is none. */
  replyForm(threadId: string): HTMLElement | null
  /** The form that changes a comment; null if it is not being changed. */
  editForm(comment: Shown): HTMLElement | null
}

/** The list of threads. Only those that changed are built again. */
export function createThreadList(list: HTMLOListElement, options: ThreadListOptions) {
  const { actions, replyForm, editForm } = options
  const entries = new Map<string, Entry>()
  let turn = 0
  let placing = Promise.resolve()

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

  /** What the viewer may do to a thread. */
  function rightsOf(thread: Thread): string {
    const isEditable = ({ id }: Shown) => actions.editableUntilMs(id) > Date.now()
    const editable = [thread, ...thread.replies].filter(isEditable)
    return `${actions.isOwner()} ${editable.map(({ id }) => id)}`
  }

  /** The item of a thread: the existing one, if nothing in it has changed. */
  function itemOf(thread: Thread, isForced: boolean): HTMLLIElement {
    const rights = rightsOf(thread)
    const place = placeOf(thread)
    const entry = entries.get(thread.id)
    if (!isForced && entry?.rights === rights && isSame(entry.thread, thread)) {
      // Many places change at once: when the frame has found its passages, or shows another file.
      if (entry.place !== place) showPlace(entry.item, thread)
      Object.assign(entry, { thread, place })
      return entry.item
    }
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
    entries.set(thread.id, { item, thread, rights, place })
    return item
  }

  /** Whether the place of a thread can be shown, or is in another file. */
  function placeOf({ id, path }: Thread): string {
    return `${actions.isMarked(id)} ${path === '' || actions.addressOf(path)}`
  }

  function showPlace(item: HTMLLIElement, thread: Thread): void {
    const comment = item.querySelector<HTMLElement>('.comment')
    // While it is edited, a form takes its place.
    if (comment?.dataset.id !== thread.id) return
    comment.querySelector(':scope > .about')?.remove()
    const about = aboutView(thread, actions)
    if (about !== null) comment.querySelector('header')?.after(about)
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
      const newestFirst = [...threads].reverse()
      let next: HTMLLIElement | null = null
      const place = (thread: Thread) => {
        const item = itemOf(thread, false)
        if (item.nextSibling !== next || item.parentNode !== list) list.insertBefore(item, next)
        next = item
      }
      const placeEarlier = async () => {
        // The newest are painted first.
        await new Promise((resolve) => setTimeout(resolve))
        const pause = createSlices()
        for (const thread of newestFirst.slice(FIRST_THREADS)) {
          if (own !== turn) return
          place(thread)
          await pause()
        }
      }
      newestFirst.slice(0, FIRST_THREADS).forEach(place)
      placing = placeEarlier()
    },
    /** Resolves once every thread has its item. */
    async whenPlaced(): Promise<void> {
      for (let last: unknown = null; last !== placing; ) {
        last = placing
        await placing
      }
    },
    /** Builds one thread again: a form in it was opened or closed. */
    rebuild(thread: Thread): void {
      itemOf(thread, true)
    },
    itemOf: (threadId: string): HTMLLIElement | null => entries.get(threadId)?.item ?? null,
  }
}

/** A thread that was read again is another object. */
function isSame(thread: Thread, other: Thread): boolean {
  return thread === other || JSON.stringify(thread) === JSON.stringify(other)
}

/** A resolved thread: its first words; a click on them unfolds it. */
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
