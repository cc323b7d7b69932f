import type {
  ApprovalChanges,
  ApprovalView,
  Chosen,
} from '../../../src/features/approvals/contract.ts'
import { fill, h } from '../elements.ts'
import type { TabContext } from '../tab.ts'
import { timeElement } from '../time.ts'
import { changesElement } from './changes.ts'
import { createDecisionForm } from './decision-form.ts'
import { decidedText, ownStateText } from './words.ts'

export interface ApprovalPage {
  show(state: ApprovalView): void
  /** The owner has switched approvals off, or the page is not published. */
  showOff(): void
}

interface ApprovalPageOptions {
  context: Pick<TabContext, 'announce' | 'pagePath'>
  /** @throws PanelError */
  decide(chosen: Chosen): Promise<'left' | 'mailed'>
  /** @throws PanelError */
  readChanges(): Promise<ApprovalChanges>
}

type Mine = NonNullable<ApprovalView['mine']>
type Shown = NonNullable<ApprovalView['others']>[number]

/** The content of the tab: the own decision and its form, and what others decided. */
export function createApprovalPage(
  container: HTMLElement,
  { context, decide, readChanges }: ApprovalPageOptions,
): ApprovalPage {
  const root = h('div', { class: 'approval stack inset' }, h('div', { class: 'shape' }))
  const form = createDecisionForm({ decide, ...context })
  /** The version of the decision that the approver changes although it is current. */
  let changing: number | null = null
  let last: ApprovalView | null = null
  container.append(root)

  function show(state: ApprovalView): void {
    last = state
    const { mine, others, waiting } = state
    const isOwner = waiting !== null
    fill(
      root,
      ...(mine === null ? strangerPart(isOwner) : ownPart(state, mine)),
      isOwner && peopleList('Waiting', waiting.map(waitingItem)),
      others !== null &&
        peopleList(isOwner ? 'Decided' : 'Other approvers', others.map(decidedItem)),
      state.record_path !== null &&
        h('p', {}, h('a', { href: state.record_path }, 'Record of approvals')),
    )
  }

  /** For the owner, who is no approver, the lists are enough. */
  function strangerPart(isOwner: boolean): (HTMLElement | false)[] {
    if (isOwner) return []
    return [
      h('h3', {}, 'Are you an approver?'),
      h('p', {}, 'The owner has asked certain people to approve this page.'),
      form.show({ asksEmail: true }),
    ]
  }

  function ownPart(state: ApprovalView, mine: Mine): (HTMLElement | false)[] {
    const { decision, due_at: dueAt } = mine
    const isOld = decision !== null && !decision.is_current
    const isDone = decision?.is_current === true && changing !== decision.version_no
    return [
      h('h3', {}, ownStateText(state, mine)),
      decision !== null && ownDecision(decision),
      !isDone &&
        dueAt !== null &&
        h('p', { class: 'hint' }, 'Your decision is due ', timeElement(dueAt), '.'),
      isOld && changesPart(),
      state.is_shown ? isDone && changeButton(decision!.version_no) : reloadPart(),
      state.is_shown && !isDone && form.show({ asksEmail: false }),
    ]
  }

  function ownDecision({ note, decided_at: decidedAt }: NonNullable<Mine['decision']>) {
    return h(
      'div',
      { class: 'stack tight' },
      h('p', { class: 'hint' }, timeElement(decidedAt)),
      note !== null && h('blockquote', { dir: 'auto' }, note),
    )
  }

  function changesPart(): HTMLElement {
    const part = h('div', { class: 'stack' })
    const button = quietButton('Show what changed', async () => {
      button.disabled = true
      try {
        fill(part, changesElement(await readChanges()))
      } catch (err) {
        button.disabled = false
        fill(part, button, h('p', { class: 'error', role: 'alert' }, (err as Error).message))
      }
    })
    part.append(button)
    return part
  }

  function changeButton(versionNo: number): HTMLElement {
    return quietButton('Change my decision', () => {
      changing = versionNo
      if (last !== null) show(last)
      form.focus()
    })
  }

  function reloadPart(): HTMLElement {
    return h(
      'div',
      { class: 'stack' },
      h('p', {}, 'The page has changed since you opened it. Look at it again before you decide.'),
      h(
        'button',
        { type: 'button', class: 'button', onclick: () => location.reload() },
        'Reload the page',
      ),
    )
  }

  return {
    show,
    showOff() {
      fill(root, h('p', { class: 'hint' }, 'This page asks for no approval now.'))
    },
  }
}

function peopleList(title: string, items: HTMLElement[]): HTMLElement | false {
  if (items.length === 0) return false
  return h(
    'section',
    { class: 'stack tight', 'aria-label': title },
    h('h4', {}, title),
    h('ul', {}, ...items),
  )
}

function waitingItem(email: string): HTMLElement {
  return h('li', {}, h('b', { dir: 'auto' }, email))
}

function decidedItem(decision: Shown): HTMLElement {
  const { email, note, decided_at: decidedAt } = decision
  return h(
    'li',
    {},
    h('b', { dir: 'auto' }, email),
    h('p', { class: 'hint' }, decidedText(decision), ', ', timeElement(decidedAt)),
    note !== null && h('blockquote', { dir: 'auto' }, note),
  )
}

function quietButton(label: string, onclick: () => void): HTMLButtonElement {
  return h('button', { type: 'button', class: 'button quiet', onclick }, label)
}
