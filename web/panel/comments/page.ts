import type { Anchor } from '../../../src/model/anchor.ts'
import { field, fill, h } from '../elements.ts'
import type { TabContext } from '../tab.ts'
import type { CommentActions } from './comment-view.ts'
import { type Composer, createComposer } from './composer.ts'
import { createDrafts } from './drafts.ts'
import type { CommentsModel } from './model.ts'
import { createThreadList } from './thread-list.ts'
import type { Shown, Thread } from './thread-state.ts'

export interface PageOptions {
  context: TabContext
  model: CommentsModel
}

/** The content of the tab: the threads, newest last, and the form below them. */
export function createCommentsPage(container: HTMLElement, { context, model }: PageOptions) {
  const { state } = model
  const drafts = createDrafts(context.pagePath)
  const replies = new Map<string, Composer>()
  const edits = new Map<string, HTMLElement>()
  const list = h('ol', { class: 'threads', 'aria-label': 'Threads' })
  const empty = h('p', { class: 'hint empty' })
  const earlier = h(
    'button',
    { type: 'button', class: 'button quiet', onclick: showEarlier },
    'Show earlier comments',
  )
  const letters = h('div', { class: 'letters' }, earlier, empty, list)
  const threads = createThreadList(list, {
    actions: createActions(),
    replyForm: (id) => replies.get(id)?.form ?? null,
    editForm: ({ id }) => edits.get(id) ?? null,
  })
  const composer = createComposer({
    context,
    drafts,
    place: '',
    requiresEmail: model.requiresEmail,
    onPosted() {
      model.refresh()
      isAtEnd = true
    },
    pick: model.places.pick,
  })
  const write = h('div', { class: 'write' }, composer.form)
  let isAtEnd = true
  letters.addEventListener('scroll', () => {
    isAtEnd = letters.scrollHeight - letters.scrollTop - letters.clientHeight < 48
  })
  container.append(h('div', { class: 'comments' }, letters, write))
  const unsent = drafts.replied().at(-1)
  if (unsent !== undefined) openReply(unsent)

  function threadOf(id: string): Thread | undefined {
    return state
      .all()
      .find((thread) => thread.id === id || thread.replies.some((each) => each.id === id))
  }

  function rebuild(id: string): void {
    const thread = threadOf(id)
    if (thread !== undefined) threads.rebuild(thread)
  }

  /** The form of a new comment, unless another form is open: there is one at a time. */
  function showWrite(): void {
    const isShown = !model.isOff() && replies.size === 0
    write.hidden = !isShown
    if (isShown !== write.contains(composer.form)) fill(write, isShown && composer.form)
  }

  function closeReplies(): void {
    const [other] = replies.keys()
    replies.clear()
    if (other !== undefined) rebuild(other)
    showWrite()
  }

  /** One reply at a time, and nothing else meanwhile: what was typed elsewhere is kept. */
  function openReply(id: string): void {
    closeReplies()
    const close = () => {
      replies.delete(id)
      rebuild(id)
      showWrite()
      threads.itemOf(id)?.querySelector<HTMLElement>('.tool')?.focus()
    }
    const form = createComposer({
      context,
      drafts,
      place: id,
      requiresEmail: model.requiresEmail,
      onPosted() {
        close()
        model.refresh()
      },
      onCancel() {
        drafts.remove(id)
        close()
      },
    })
    replies.set(id, form)
    showWrite()
  }

  function createActions(): CommentActions {
    return {
      isOwner: model.isOwner,
      isMarked: model.places.isMarked,
      reveal: model.places.reveal,
      editableUntilMs: state.editableUntilMs,
      reply({ id }) {
        if (!replies.has(id)) openReply(id)
        rebuild(id)
        replies.get(id)?.form.querySelector('textarea')?.focus()
      },
      edit(comment) {
        edits.set(comment.id, editForm(comment))
        rebuild(comment.id)
        edits.get(comment.id)?.querySelector('textarea')?.focus()
      },
      async remove({ id }) {
        const isOwn = state.editableUntilMs(id) > Date.now() && !model.isOwner()
        if (isOwn) await context.call('/~/comments/delete', { comment_id: id })
        else await context.ownerCall('DELETE', `/comments/${id}`)
        context.announce('The comment is deleted')
        model.refresh()
      },
      async change({ id }, change) {
        await context.ownerCall('PATCH', `/comments/${id}`, change)
        model.refresh()
      },
      addressOf(path) {
        if (path === context.frame.path()) return null
        return `${context.pagePath}/${path.split('/').map(encodeURIComponent).join('/')}`
      },
    }
  }

  function editForm(comment: Shown): HTMLElement {
    const text = h('textarea', { rows: 3, dir: 'auto' })
    text.value = comment.body
    const problem = h('p', { class: 'error', role: 'alert' })
    const close = () => {
      edits.delete(comment.id)
      rebuild(comment.id)
    }
    async function save(event: Event): Promise<void> {
      event.preventDefault()
      fill(problem)
      try {
        if (model.isOwner()) {
          await context.ownerCall('PATCH', `/comments/${comment.id}`, { body: text.value })
        } else {
          await context.call('/~/comments/edit', { comment_id: comment.id, body: text.value })
        }
      } catch (err) {
        return fill(problem, `This is not saved yet. ${(err as Error).message}`)
      }
      close()
      model.refresh()
    }
    return h(
      'form',
      { class: 'stack composer', onsubmit: save },
      field('Your comment', text),
      problem,
      h(
        'div',
        { class: 'row' },
        h('button', { class: 'button' }, 'Save'),
        h('button', { type: 'button', class: 'button quiet', onclick: close }, 'Cancel'),
      ),
    )
  }

  async function showEarlier(): Promise<void> {
    const heightBefore = letters.scrollHeight - letters.scrollTop
    await model.readEarlier().catch((err: Error) => fill(empty, err.message))
    letters.scrollTop = letters.scrollHeight - heightBefore
  }

  return {
    /** Begins a comment about a passage or a spot. */
    writeAbout(anchor: Anchor): void {
      closeReplies()
      composer.writeAbout(anchor)
    },
    /** Scrolls to a thread. */
    async showThread(id: string): Promise<void> {
      if (threads.itemOf(id) === null) await threads.whenPlaced()
      const item = threads.itemOf(id)
      if (item === null) return
      const details = item.querySelector('details')
      if (details !== null) details.open = true
      item.scrollIntoView({ block: 'nearest' })
      item.tabIndex = -1
      item.focus({ preventScroll: true })
    },
    show(): void {
      const all = state.all()
      const isOff = model.isOff()
      earlier.hidden = state.earlier() === null || isOff
      list.hidden = isOff
      showWrite()
      empty.hidden = all.length > 0 && !isOff
      fill(
        empty,
        isOff
          ? 'Comments are switched off.'
          : state.known() === null
            ? ''
            : 'No comments yet. Write the first one.',
      )
      threads.show(isOff ? [] : all)
      if (isAtEnd) letters.scrollTop = letters.scrollHeight
    },
  }
}
