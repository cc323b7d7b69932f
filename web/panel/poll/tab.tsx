import { createRoot, type Root } from 'react-dom/client'
import type { Ballot, PollState } from '../../../src/features/polls/contract.ts'
import { PanelError, type RunningTab, type Tab, type TabContext } from '../tab.ts'
import styles from './poll.css' with { type: 'text' }
import { PollPage } from './poll-page.tsx'

export const pollTab: Tab = {
  id: 'poll',
  label: 'Poll',
  icon: 'M3 13.5V9m5 4.5v-11m5 11V6',
  styles,
  start,
}

function start(context: TabContext): RunningTab {
  let cached: PollState | null = null
  let isOff = false
  let votes = 0
  let root: Root | null = null

  function show(): void {
    const poll = isOff ? null : (cached?.state ?? null)
    context.setCount(poll?.total_votes ?? null)
    root?.render(<PollPage poll={poll} isOff={isOff} context={context} vote={vote} />)
  }

  /** @returns whether anything has changed */
  function accept(answer: PollState): boolean {
    if (answer.state === null && !isOff) return false
    isOff = false
    if (answer.state !== null) cached = answer
    show()
    return true
  }

  async function read(): Promise<boolean> {
    const votesBefore = votes
    try {
      const answer = await context.call<PollState>('/~/poll', { known: cached?.version ?? null })
      // An answer from before the vote would take the vote back for a moment.
      return votes !== votesBefore || accept(answer)
    } catch (err) {
      if (!(err instanceof PanelError) || err.code !== 'poll_off') throw err
      isOff = true
      show()
      return false
    }
  }

  async function vote(ballot: Ballot): Promise<void> {
    votes += 1
    try {
      accept(await context.call<PollState>('/~/votes', ballot))
    } catch (err) {
      poller.now()
      throw err
    } finally {
      votes += 1
    }
  }

  const poller = context.poll(read)
  context.viewer.onChange(() => poller.now())
  return {
    mount(container) {
      root = createRoot(container)
      show()
    },
  }
}
