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
import { askedText, decidedText, ownStateText, progressText } from './words.ts'

export interface ApprovalPage {
  show(state: ApprovalView): void
  /** The owner has switched approvals off, or the page is not published. */
  showOff(): void
}

interface ApprovalPageOptions {
  context: Pick<TabContext, 'announce' | 'pagePath' | 'ownerCall'>
  /** @throws PanelError */
  decide(chosen: Chosen): Promise<'left' | 'mailed'>
  /** @throws PanelError */
  readChanges(): Promise<ApprovalChanges>
}

/** The response to a request for approvals. */
interface Asked {
  asked: { email: string }[]
  not_admitted: string[]
}
type Mine = NonNullable<ApprovalView['mine']>
type Shown = NonNullable<ApprovalView['others']>[number]

/** The content of the tab: the viewer's decision with its form, and the decisions of others. */
export function createApprovalPage(
  container: HTMLElement,
  { context, decide, readChanges }: ApprovalPageOptions,
): ApprovalPage {
  const root = h('div', { class: 'approval stack inset' }, h('div', { class: 'shape' }))
  const form = createDecisionForm({ decide, ...context })
  // These stay in place while newer decisions are shown around them.
  const asked = h('p', { class: 'hint', role: 'status' })
  const askButton = quietButton('Ask by mail', async () => {
    askButton.disabled = true
    fill(asked, await ask())
    askButton.disabled = false
  })
  let changes = { about: '', element: h('div') }
  /** The version of a current decision that the approver wants to change. */
  let changing: number | null = null
  let last: ApprovalView | null = null
  container.append(root)

  function show(state: ApprovalView): void {
    last = state
    const { mine, others, waiting } = state
    const isOwner = waiting !== null
    fill(
      root,
      isOwner && h('h3', {}, progressText(state)),
      ...(mine === null ? strangerPart(isOwner) : ownPart(state, mine)),
      isOwner ? ownerPart(state, waiting) : others !== null && othersPart(state, others),
    )
  }

  /** A row for each approver, with the owner's actions. */
  function ownerPart(state: ApprovalView, waiting: string[]): HTMLElement {
    const decided = state.others ?? []
    const undecided = waiting.filter(
      (email) => email !== state.mine?.email && !decided.some((each) => each.email === email),
    )
    return h(
      'div',
      { class: 'stack' },
      peopleList('Approvers', [
        ...undecided.map(waitingItem),
        ...decided.map((each) => decidedItem(each, state.version_no)),
      ]),
      waiting.length > 0 && askButton,
      asked,
      state.record_path !== null &&
        h('p', {}, h('a', { href: state.record_path }, 'Record of approvals')),
    )
  }

  async function ask(): Promise<string> {
    try {
      const answer = await context.ownerCall<Asked>('POST', '/approvals/requests', {})
      return askedText(answer.asked.length, answer.not_admitted)
    } catch (err) {
      return (err as Error).message
    }
  }

  function othersPart(state: ApprovalView, others: Shown[]): HTMLElement | false {
    const items = others.map((each) => decidedItem(each, state.version_no))
    return peopleList('Other approvers', items)
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
      isOld && changesPart(`${decision.version_no} ${state.version_no}`),
      state.is_shown ? isDone && changeButton(decision!.version_no) : reloadPart(),
      state.is_shown && !isDone && form.show({ asksEmail: false }),
    ]
  }

  function ownDecision({ note, decided_at: decidedAt }: NonNullable<Mine['decision']>) {
    return h(
      'div',
      { class: 'stack tight' },
      h('p', { class: 'hint' }, 'Decided ', timeElement(decidedAt), '.'),
      note !== null && h('blockquote', { dir: 'auto' }, note),
    )
  }

  /** @param about the two versions */
  function changesPart(about: string): HTMLElement {
    if (changes.about === about) return changes.element
    const element = h('div', { class: 'stack' })
    const alert = h('p', { class: 'error', role: 'alert' })
    const button = quietButton('Show what changed', async () => {
      button.disabled = true
      try {
        fill(element, changesElement(await readChanges()))
      } catch (err) {
        button.disabled = false
        fill(alert, (err as Error).message)
      }
    })
    element.append(button, alert)
    changes = { about, element }
    return element
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
  return h('li', {}, h('b', { dir: 'auto' }, email), h('p', { class: 'hint' }, 'Waiting'))
}

function decidedItem(decision: Shown, now: number): HTMLElement {
  const { email, note, decided_at: decidedAt } = decision
  return h(
    'li',
    {},
    h('b', { dir: 'auto' }, email),
    h('p', { class: 'hint' }, `${decidedText(decision, now)} · `, timeElement(decidedAt)),
    note !== null && h('blockquote', { dir: 'auto' }, note),
  )
}

function quietButton(label: string, onclick: () => void): HTMLButtonElement {
  return h('button', { type: 'button', class: 'button quiet', onclick }, label)
}
