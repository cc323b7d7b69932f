import { render } from 'preact'
import type { OwnersComment, ParsedThread } from '../../../src/features/comments/contract.ts'
import { PanelError } from '../calls.ts'
import type { Mount, Tab, TabContext } from '../tab.ts'
import styles from './comments.css' with { type: 'text' }
import type { AboutRequest } from './composer.tsx'
import { createDrafts } from './drafts.ts'
import { CommentsPage, type ScrollRequest } from './page.tsx'
import { createPassages } from './passages.tsx'
import type { Places } from './pins.tsx'
import { createSpots } from './spots.tsx'
import { ThreadState } from './state.ts'

export const commentsTab: Tab = {
  id: 'comments',
  label: 'Comments',
  icon: 'M2 3.5h12v8H7l-3 2.5v-2.5H2z',
  styles,
  start,
}

function start(context: TabContext): Mount {
  const state = new ThreadState()
  const drafts = createDrafts(context.pagePath)
  let root: HTMLElement | null = null
  let about: AboutRequest | null = null
  let target: ScrollRequest | null =
    context.target === null ? null : { threadId: context.target, isDone: false }
  /** Until its place is marked, and scrolled to. */
  let unseen = context.target
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
        {...{ context, drafts, state, places, about, target }}
        onWrite={poller.now}
        readEarlier={async () => {
          await readEarlier(context, state)
          show()
        }}
      />,
      root,
    )
  }

  const poller = context.poll(async () => {
    const hasChanged = await readChanges(context, state)
    if (hasChanged || state.isOff) {
      show()
      places.mark(state.all())
    }
    return hasChanged
  })
  context.viewer.onChange(() => {
    show()
    poller.now()
  })
  return (container) => {
    root = container
    show()
    showCardsWhereWide(container, context, places)
  }
}

/** @returns whether anything has changed that is shown */
async function readChanges(context: TabContext, state: ThreadState): Promise<boolean> {
  const { call, target } = context
  const isFirst = state.revision === null
  try {
    const answer = await call<ParsedThread>('/~/comments', { known: state.revision })
    if (!state.accept(answer)) return false
    await readHidden(context, state)
    context.setCount(answer.count)
    // The address may name a thread that is older than those of the first answer.
    const isRead = () => target === null || state.all().some(({ id }) => id === target)
    while (isFirst && !isRead() && state.earlier !== null) await readEarlier(context, state)
    if (!isFirst && context.isOpen()) context.announce('The comments have changed')
    return true
  } catch (err) {
    if (!(err instanceof PanelError) || err.code !== 'comments_off') throw err
    state.isOff = true
    context.setCount(null)
    return false
  }
}

/** The owner also sees hidden comments, which the API returns. */
async function readHidden(context: TabContext, state: ThreadState): Promise<void> {
  if (context.viewer.current.kind !== 'owner') return
  const path = '/comments?state=hidden&limit=1000'
  state.acceptHidden(await context.ownerCall<OwnersComment[]>('GET', path))
}

async function readEarlier({ call }: TabContext, state: ThreadState): Promise<void> {
  const before = state.earlier
  if (before !== null) state.acceptEarlier(await call<ParsedThread>('/~/comments', { before }))
}

/** Loads the script for cards beside the page, which narrow windows have no room for. */
function showCardsWhereWide(container: HTMLElement, context: TabContext, places: Places): void {
  const { frame, cardsUrl } = context
  const wide = matchMedia('(min-width: 75rem)')
  const load = async () => (await import(cardsUrl)).showCards({ container, frame, places, wide })
  if (wide.matches) void load()
  else wide.addEventListener('change', load, { once: true })
}
