import type { Ballot, PollView } from '../../../src/features/polls/contract.ts'
import { field, fill, h, uniqueId } from '../elements.ts'
import type { TabContext } from '../tab.ts'
import { timeElement } from '../time.ts'
import { createOptionList, type OptionList } from './options.ts'
import { localTime, resultsText, secrecyText, turnoutText } from './words.ts'

export interface PollPage {
  show(poll: PollView): void
  /** The owner has switched the poll off. */
  showOff(): void
}

interface PollPageOptions {
  context: Pick<TabContext, 'viewer' | 'confirmEmail' | 'announce'>
  /** @throws PanelError */
  vote(ballot: Ballot): Promise<void>
}

const NAME_LENGTH = 80
const OFF = 'This page has no poll any more.'

/** The content of the tab: the form to vote with, or the results. */
export function createPollPage(container: HTMLElement, options: PollPageOptions): PollPage {
  const { context, vote } = options
  const question = h('h3', { id: uniqueId(), dir: 'auto', tabindex: -1 })
  const body = h('div')
  const confirmation = h('div')
  const alert = h('p', { class: 'error', role: 'alert' })
  const facts = h('div', { class: 'facts hint' })
  const shape = h('div', { class: 'shape' }, h('div'), h('div'), h('div'))
  const root = h('div', { class: 'poll stack inset' }, shape)
  let poll: PollView | null = null
  let list: OptionList | null = null
  /** What was built, so that newer votes change the numbers and nothing else. */
  let built = ''
  let chosen: string | null = null
  let name = ''
  let isChanging = false
  let isBusy = false
  container.append(root)

  const isOwner = () => context.viewer.current.kind === 'owner'
  const isChoosing = ({ is_closed: isClosed, own_vote: own }: PollView) =>
    !isClosed && (isChanging || own === null || own.option === null)

  function show(next: PollView): void {
    if (next.is_closed) isChanging = false
    poll = next
    const { options: _, total_votes: __, ...rest } = next
    const texts = next.options.map(({ text }) => text)
    const key = JSON.stringify([rest, texts, isChoosing(next)])
    if (key === built) list?.update(next)
    else rebuild(next)
    built = key
    showFacts(next)
  }

  function rebuild(next: PollView): void {
    const hadFocus = body.contains(activeElement())
    fill(question, next.question)
    if (chosen !== null && !next.options.some(({ text }) => text === chosen)) chosen = null
    const shown = isChoosing(next) ? form(next) : results(next)
    fill(body, shown)
    if (!root.contains(body)) fill(root, question, body, confirmation, alert, facts)
    if (hadFocus) (shown.querySelector<HTMLElement>('input:checked, .button') ?? question).focus()
  }

  function activeElement(): Element | null {
    return (root.getRootNode() as Document | ShadowRoot).activeElement
  }

  function form(next: PollView): HTMLElement {
    chosen ??= next.own_vote?.option ?? null
    list = createOptionList(next, {
      questionId: question.id,
      chosen,
      onChoose(text) {
        chosen = text
        fill(alert)
      },
    })
    const isRemoved = next.own_vote !== null && next.own_vote.option === null
    return h(
      'form',
      { onsubmit: submit },
      isRemoved && h('p', {}, 'The option that you chose was removed. Choose again.'),
      list.element,
      next.is_named && next.results !== 'owner' && nameField(next),
      h('p', { class: 'hint' }, secrecyText(next)),
      h('button', { class: 'button' }, 'Vote'),
      isChanging && quietButton('Keep my vote', () => setChanging(false)),
    )
  }

  function nameField(next: PollView): HTMLElement {
    if (name === '') name = next.own_vote?.name ?? ''
    const { alias } = context.viewer.current
    const input = h('input', {
      ...{ name: 'name', autocomplete: 'name', maxlength: NAME_LENGTH, value: name },
      oninput: () => {
        name = input.value
      },
    })
    return field('Your name', input, `or an alias, such as ${alias}`)
  }

  function results(next: PollView): HTMLElement {
    const own = next.own_vote?.option ?? null
    list = createOptionList(next, { questionId: question.id, chosen: own, onChoose: null })
    const canChange = !next.is_closed && own !== null
    return h(
      'div',
      { class: 'stack' },
      list.element,
      canChange && quietButton('Change my vote', () => setChanging(true)),
    )
  }

  function setChanging(next: boolean): void {
    isChanging = next
    chosen = null
    fill(alert)
    fill(confirmation)
    if (poll !== null) show(poll)
  }

  function showFacts(next: PollView): void {
    const { closes_at: closesAt, is_closed: isClosed, total_votes: total } = next
    const results = resultsText(next, isOwner())
    fill(
      facts,
      total !== null && h('p', { class: 'turnout' }, turnoutText(total)),
      results && h('p', {}, results),
      closesAt !== null &&
        h(
          'p',
          {},
          isClosed ? 'Voting ended ' : 'Voting ends ',
          timeElement(closesAt),
          `: ${localTime(closesAt)}`,
        ),
    )
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (isBusy || poll === null || chosen === null) return
    const shown = { is_named: poll.is_named }
    fill(alert)
    if (poll.requires_email && context.viewer.current.emails.length === 0) {
      // The button of the confirmation is the next one to press.
      body.querySelector('form > .button')?.toggleAttribute('hidden', true)
      await context.confirmEmail(confirmation, 'vote')
      body.querySelector('form > .button')?.toggleAttribute('hidden', false)
    }
    if (isBusy || chosen === null) return
    isBusy = true
    const wasChanging = isChanging
    isChanging = false
    try {
      await vote({ ...shown, option: chosen, name: name.trim() || null })
      chosen = null
      context.announce('Your vote is counted')
    } catch (err) {
      isChanging = wasChanging
      fill(alert, (err as Error).message)
    }
    isBusy = false
  }

  return {
    show,
    showOff() {
      built = ''
      fill(root, h('p', { class: 'hint' }, OFF))
    },
  }
}

function quietButton(label: string, onclick: () => void): HTMLButtonElement {
  return h('button', { type: 'button', class: 'button quiet', onclick }, label)
}
