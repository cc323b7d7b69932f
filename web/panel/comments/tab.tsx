import { render } from 'preact'
import type { OwnersComment, ParsedThread } from '../../../src/features/comments/contract.ts'
import { PanelError, type RunningTab, type Tab, type TabContext } from '../tab.ts'
import styles from './comments.css' with { type: 'text' }
import type { AboutRequest } from './composer.tsx'
import { createDrafts } from './drafts.ts'
import { CommentsPage, type ScrollRequest } from './page.tsx'
import { createPassages } from './passages.ts'
import type { Places } from './pins.ts'
import { createSpots } from './spots.ts'
import { createThreadState } from './state.ts'

export const commentsTab: Tab = {
  id: 'comments',
  label: 'Comments',
  icon: 'M2 3.5h12v8H7l-3 2.5v-2.5H2z',
  styles,
  start,
}

function start(context: TabContext): RunningTab {
  const state = createThreadState()
  const drafts = createDrafts(context.pagePath)
  let requiresEmail = false
  let isOff = false
  let root: HTMLElement | null = null
  let about: AboutRequest | null = null
  const { target: named } = context
  let target: ScrollRequest | null = named === null ? null : { threadId: named, isDone: false }
  /** Until its place is marked, and scrolled to. */
  let unseen = named
  const createPlaces = context.frame.isFramed ? createPassages : createSpots
  const places = createPlaces(context, {
    onComment(anchor) {
      about = { anchor, isDone: false }
      show()
    },
    onMark(threadId) {
      target = { threadId, isDone: false }
      show()
    },
    onMarksShown() {
      show()
      if (unseen === null || !places.isMarked(unseen)) return
      places.reveal(unseen)
      unseen = null
    },
  })

  function show(): void {
    if (root === null) return
    render(
      <CommentsPage
        context={context}
        drafts={drafts}
        state={state}
        places={places}
        requiresEmail={requiresEmail}
        isOff={isOff}
        about={about}
        target={target}
        onWrite={poller.now}
        readEarlier={readEarlier}
      />,
      root,
    )
  }

  const read = (input: object) => context.call<ParsedThread>('/~/comments', input)

  /** The owner also sees hidden comments, which the API returns. */
  async function readHidden(): Promise<void> {
    if (context.viewer.current.kind !== 'owner') return
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
      // The address may name a thread that is older than those of the first answer.
      const isRead = () => named === null || state.all().some(({ id }) => id === named)
      while (isFirst && !isRead() && state.earlier() !== null) await readMore()
      show()
      places.mark(state.all())
      if (!isFirst && context.isOpen()) context.announce('The comments have changed')
      return true
    } catch (err) {
      if (!(err instanceof PanelError) || err.code !== 'comments_off') throw err
      isOff = true
      context.setCount(null)
      places.mark([])
      show()
      return false
    }
  }

  async function readMore(): Promise<void> {
    const before = state.earlier()
    if (before !== null) state.acceptEarlier(await read({ before }))
  }

  async function readEarlier(): Promise<void> {
    await readMore()
    show()
  }

  const poller = context.poll(readChanges)
  context.viewer.onChange(() => {
    show()
    poller.now()
  })
  return {
    mount(container) {
      root = container
      show()
      showCardsWhereWide(container, context, places)
    },
  }
}

/** Loads the script for cards beside the page, which narrow windows have no room for. */
function showCardsWhereWide(container: HTMLElement, context: TabContext, places: Places): void {
  const { frame, cardsUrl } = context
  const wide = matchMedia('(min-width: 1200px)')
  const load = async () => (await import(cardsUrl)).showCards({ container, frame, places, wide })
  if (wide.matches) void load()
  else wide.addEventListener('change', load, { once: true })
}
