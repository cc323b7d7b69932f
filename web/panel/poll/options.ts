import type { PollView } from '../../../src/features/polls/contract.ts'
import { fill, h, icon, uniqueId } from '../elements.ts'
import { votesText } from './words.ts'

const CHOSEN_ICON = 'm3 8.5 3.5 3.5L13 4.5'

export interface OptionList {
  element: HTMLElement
  /** Shows newer votes. Where the options are the same, focus and choice stay as they are. */
  update(poll: PollView): void
}

export interface OptionListOptions {
  /** The id of the element with the question. */
  questionId: string
  /** The text of the chosen option. */
  chosen: string | null
  /** Null where the options can only be looked at. */
  onChoose: ((text: string) => void) | null
}

/** The options, as radio buttons or as the viewer's vote, with their votes as bars and as text. */
export function createOptionList(poll: PollView, options: OptionListOptions): OptionList {
  const { questionId, chosen, onChoose } = options
  const group = uniqueId()
  const rows = poll.options.map(({ text }) => {
    const id = uniqueId()
    const isChosen = text === chosen
    const bar = h('div', { class: 'bar', 'aria-hidden': 'true' }, h('div'))
    const votes = h('span', { class: 'votes' })
    const names = h('p', { class: 'names hint' })
    const mark = onChoose === null && isChosen && chosenMark()
    const label =
      onChoose === null
        ? h('span', { class: 'text', dir: 'auto' }, text)
        : h(
            'label',
            { class: 'text' },
            h('input', {
              ...{ type: 'radio', name: group, value: text, required: true, checked: isChosen },
              onchange: () => onChoose(text),
            }),
            h('span', { dir: 'auto', id }, text),
          )
    const element = h(
      onChoose === null ? 'li' : 'div',
      { class: mark ? 'option chosen' : 'option' },
      label,
      votes,
      mark,
      bar,
      names,
    )
    return { text, element, bar, votes, names }
  })
  const element =
    onChoose === null
      ? h('ul', { class: 'options', 'aria-labelledby': questionId })
      : h('div', { class: 'options', role: 'radiogroup', 'aria-labelledby': questionId })
  element.append(...rows.map((row) => row.element))

  function update(next: PollView): void {
    for (const [at, { bar, votes, names }] of rows.entries()) {
      const option = next.options[at]!
      const isShown = option.votes !== null && option.share !== null
      bar.hidden = !isShown
      votes.hidden = !isShown
      names.hidden = !isShown || !option.names?.length
      if (option.votes === null || option.share === null) continue
      fill(votes, votesText(option.votes, option.share))
      ;(bar.firstElementChild as HTMLElement).style.width = `${option.share * 100}%`
      fill(names, ...namesOf(option.names ?? [], option.votes))
    }
  }
  update(poll)
  return { element, update }
}

/** Whether a list that was built for one state can show the other. */
export function hasSameOptions(a: PollView, b: PollView): boolean {
  return (
    a.options.map(({ text }) => text).join('\n') === b.options.map(({ text }) => text).join('\n')
  )
}

function chosenMark(): HTMLElement {
  return h('span', { class: 'mark' }, icon(CHOSEN_ICON), 'Your vote')
}

/** The names that others gave, and how many more voted. */
function namesOf(names: readonly string[], votes: number): (Node | string)[] {
  const shown = names.flatMap((name, at) => [at === 0 ? '' : ', ', h('bdi', {}, name)])
  const rest = votes - names.length
  return rest > 0 ? [...shown, ` and ${rest.toLocaleString('en')} more`] : shown
}
