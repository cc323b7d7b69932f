import { createRoot, type Root } from 'react-dom/client'
import type {
  ApprovalChanges,
  ApprovalState,
  Chosen,
} from '../../../src/features/approvals/contract.ts'
import { PanelError, type RunningTab, type Tab, type TabContext } from '../tab.ts'
import styles from './approval.css' with { type: 'text' }
import { ApprovalPage } from './approval-page.tsx'

export const approvalTab: Tab = {
  id: 'approval',
  label: 'Approval',
  icon: 'M8 1.5 13.5 3.5v4c0 3.5-2.3 5.8-5.5 7-3.2-1.2-5.5-3.5-5.5-7v-4zM5.5 8l2 2 3.5-4',
  styles,
  start,
}

function start(context: TabContext): RunningTab {
  let cached: ApprovalState | null = null
  let isOff = false
  let isAwaitingMail = false
  let root: Root | null = null

  function show(): void {
    const state = cached?.state ?? null
    context.setCount((!isOff && state?.waiting?.length) || null)
    root?.render(
      <ApprovalPage
        state={state}
        isOff={isOff}
        context={context}
        decide={decide}
        readChanges={readChanges}
      />,
    )
  }

  /** @returns whether anything has changed */
  async function read(): Promise<boolean> {
    try {
      // The link of the mail may have been opened in another tab, which confirms the address here.
      if (isAwaitingMail) await context.viewer.refresh()
      const answer = await context.call<ApprovalState>('/~/approval', {
        known: cached?.version ?? null,
      })
      const wasOff = isOff
      isOff = false
      if (answer.state !== null) cached = answer
      if (answer.state === null && !wasOff) return false
      show()
      return true
    } catch (err) {
      if (!(err instanceof PanelError) || err.code !== 'approvals_off') throw err
      isOff = true
      show()
      return false
    }
  }

  /** Leads to our own page, where the decision is confirmed, or sends the link to it by mail. */
  async function decide(chosen: Chosen): Promise<'left' | 'mailed'> {
    const { confirm_path: path } = await context.call<{ confirm_path: string | null }>(
      '/~/decisions',
      chosen,
    )
    if (path !== null) {
      location.assign(path)
      return 'left'
    }
    isAwaitingMail = true
    return 'mailed'
  }

  const readChanges = () => context.call<ApprovalChanges>('/~/approval-changes', {})
  const poller = context.poll(read)
  context.viewer.onChange(() => {
    isAwaitingMail = false
    poller.now()
  })
  return {
    mount(container) {
      root = createRoot(container)
      show()
    },
  }
}
