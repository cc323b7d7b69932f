import type { OwnersComment, ParsedThread } from '../../../src/features/comments/contract.ts'
import { PanelError, type RunningTab, type Tab, type TabContext } from '../tab.ts'
import styles from './comments.css' with { type: 'text' }
import type { CommentsModel } from './model.ts'
import { createCommentsPage } from './page.ts'
import { createPlaces } from './places.ts'
import { createThreadState } from './thread-state.ts'

export const commentsTab: Tab = {
  id: 'comments',
  label: 'Comments',
  icon: 'M2 3.5h12v8H7l-3 2.5v-2.5H2z',
  styles,
  start,
}

function start(context: TabContext): RunningTab {
  const state = createThreadState()
  let requiresEmail = false
  let isOff = false
  let page: ReturnType<typeof createCommentsPage> | null = null
  const places = createPlaces(context, {
    onComment: (anchor) => page?.writeAbout(anchor),
    onMark: (threadId) => page?.showThread(threadId),
    onMarksShown: () => page?.show(),
  })
  const isOwner = () => context.viewer.current.kind === 'owner'

  const read = (input: object) => context.call<ParsedThread>('/~/comments', input)

  /** The owner also sees hidden comments, which the API returns. */
  async function readHidden(): Promise<void> {
    if (!isOwner()) return
    const path = '/comments?state=hidden&limit=1000'
    state.acceptHidden(await context.ownerCall<OwnersComment[]>('GET', path))
  }

  async function readChanges(): Promise<boolean> {
    try {
      const isFirst = state.known() === null
      const answer = await read({ known: state.known() })
      const hasChanged = state.accept(answer)
      requiresEmail = answer.requires_email
      const wasOff = isOff
      isOff = false
      if (!hasChanged && !wasOff) return false
      await readHidden()
      context.setCount(answer.count)
      page?.show()
      places.mark(state.all())
      if (!isFirst && context.isOpen()) context.announce('The comments have changed')
      return true
    } catch (err) {
      if (!(err instanceof PanelError) || err.code !== 'comments_off') throw err
      isOff = true
      context.setCount(null)
      places.mark([])
      page?.show()
      return false
    }
  }

  const poller = context.poll(readChanges)
  context.viewer.onChange(() => {
    page?.show()
    poller.now()
  })
  const model: CommentsModel = {
    state,
    places,
    requiresEmail: () => requiresEmail,
    isOff: () => isOff,
    isOwner,
    refresh: poller.now,
    async readEarlier() {
      const before = state.earlier()
      if (before === null) return
      state.acceptEarlier(await read({ before }))
      page?.show()
    },
  }
  return {
    mount(container) {
      page = createCommentsPage(container, { context, model })
      page.show()
    },
  }
}
