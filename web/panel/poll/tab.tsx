import { Fragment } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Ballot, PollView } from '../../../src/features/polls/contract.ts'
import { formatNumber } from '../../../src/model/numbers.ts'
import {
  Alert,
  Field,
  Icon,
  QuietButton,
  SubmitButton,
  Time,
  useCall,
  useUniqueId,
} from '../components.tsx'
import { createStateTab } from '../state-tab.tsx'
import type { Tab, TabContext } from '../tab.ts'
import styles from './poll.css' with { type: 'text' }
import { localTime, resultsText, secrecyText, turnoutText, votesText } from './words.ts'

const NAME_LENGTH = 80

export const pollTab: Tab = {
  id: 'poll',
  label: 'Poll',
  icon: 'M3 13.5V9m5 4.5v-11m5 11V6',
  styles,
  start(context) {
    const { mount, write } = createStateTab<PollView>(context, {
      path: '/~/poll',
      className: 'poll',
      off: { code: 'poll_off', text: 'This page has no poll any more.' },
      countOf: ({ total_votes: votes }) => votes,
      render: (poll) => <Poll {...{ poll, context, vote }} />,
    })
    const vote = (ballot: Ballot) => write('/~/votes', ballot)
    return mount
  },
}

interface PollProps {
  poll: PollView
  context: Pick<TabContext, 'viewer' | 'confirmEmail' | 'announce'>
  /** @throws PanelError */
  vote(ballot: Ballot): Promise<void>
}

/** The form to vote with, or the results. */
function Poll({ poll, context: { viewer, confirmEmail, announce }, vote }: PollProps) {
  const questionId = useUniqueId()
  const question = useRef<HTMLHeadingElement>(null)
  const confirmation = useRef<HTMLDivElement>(null)
  const [selection, setSelection] = useState<string | null>(null)
  const [name, setName] = useState<string | null>(null)
  const [isChanging, setChanging] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const { isBusy, problem, setProblem, run } = useCall()
  const { own_vote: own, is_closed: isClosed, is_named: isNamed } = poll
  const isForm = !isClosed && (isBusy || isChanging || !own?.option)
  const option = selection ?? own?.option ?? null
  const choice = poll.options.some(({ text }) => text === option) ? option : null
  /** While an address is confirmed, another option can be chosen. */
  const input = useRef({ choice, name })
  input.current = { choice, name: (name ?? own?.name ?? '').trim() || null }
  const body = useFocusKept(question)

  function change(next: boolean): void {
    setChanging(next)
    setSelection(null)
    setProblem('')
    confirmation.current?.replaceChildren()
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (isBusy || isConfirming || choice === null) return
    setProblem('')
    if (poll.requires_email && viewer.current.emails.length === 0) {
      // The button of the confirmation is the next one to press.
      setConfirming(true)
      await confirmEmail(confirmation.current!, 'vote')
      setConfirming(false)
    }
    const latest = input.current
    if (latest.choice === null) return
    const ballot = { is_named: isNamed, option: latest.choice, name: latest.name }
    await run(async () => {
      await vote(ballot)
      setSelection(null)
      setChanging(false)
      announce('Your vote is counted')
    })
  }
  return (
    <>
      <h3 id={questionId} ref={question} dir="auto" tabIndex={-1}>
        {poll.question}
      </h3>
      <div ref={body}>
        {isForm ? (
          <form onSubmit={submit}>
            {own?.option === null && <p>The option that you chose was removed. Choose again.</p>}
            <div className="options" role="radiogroup" aria-labelledby={questionId}>
              <Options
                poll={poll}
                value={choice}
                onChoose={(text) => [setSelection(text), setProblem('')]}
              />
            </div>
            {isNamed && poll.results !== 'owner' && (
              <NameField {...viewer.current} name={name ?? own?.name ?? ''} onName={setName} />
            )}
            <p className="hint">{secrecyText(poll)}</p>
            <SubmitButton hidden={isConfirming}>Vote</SubmitButton>
            {isChanging && <QuietButton onClick={() => change(false)}>Keep my vote</QuietButton>}
          </form>
        ) : (
          <div className="stack">
            <ul className="options" aria-labelledby={questionId}>
              <Options poll={poll} value={own?.option ?? null} onChoose={null} />
            </ul>
            {!isClosed && <QuietButton onClick={() => change(true)}>Change my vote</QuietButton>}
          </div>
        )}
      </div>
      <div ref={confirmation} />
      <Alert>{problem}</Alert>
      <Facts poll={poll} isOwner={viewer.current.kind === 'owner'} />
    </>
  )
}

interface NameFieldProps {
  alias: string
  name: string
  onName(name: string): void
}

function NameField({ alias, name, onName }: NameFieldProps) {
  // As default alone: what differs from it is typed, and holds a reload of the shell.
  const [nameBefore] = useState(name)
  return (
    <Field label="Your name" hint={`or an alias, such as ${alias}`}>
      <input
        name="name"
        autoComplete="name"
        maxLength={NAME_LENGTH}
        defaultValue={nameBefore}
        onInput={({ currentTarget: { value } }) => onName(value)}
      />
    </Field>
  )
}

/** Where the form becomes the results or the reverse, the focus stays with what is there now. */
function useFocusKept(fallback: { current: HTMLElement | null }) {
  const body = useRef<HTMLDivElement>(null)
  const hadFocus = useRef(false)
  // While rendering, what was shown before is still there.
  const { activeElement } = (body.current?.getRootNode() ?? document) as ShadowRoot
  hadFocus.current = body.current?.contains(activeElement) ?? false
  useLayoutEffect(() => {
    const element = body.current!
    const { activeElement } = element.getRootNode() as ShadowRoot
    if (!hadFocus.current || element.contains(activeElement)) return
    const next = element.querySelector<HTMLElement>('input:checked, .button')
    ;(next ?? fallback.current)?.focus()
  })
  return body
}

interface OptionsProps {
  poll: PollView
  /** The text of the chosen option. */
  value: string | null
  /** Null where the options can only be looked at. */
  onChoose: ((text: string) => void) | null
}

/** The options, as radio buttons or as the viewer's vote, with their votes as bars and as text. */
function Options({ poll, value, onChoose }: OptionsProps) {
  const group = useUniqueId()
  return poll.options.map(({ text, votes, share, names }) => {
    const isCounted = votes !== null && share !== null
    const isMine = onChoose === null && text === value
    const Row = onChoose === null ? 'li' : 'div'
    return (
      <Row key={text} className={isMine ? 'option chosen' : 'option'}>
        {onChoose === null ? (
          <bdi className="text">{text}</bdi>
        ) : (
          <label className="text">
            <input
              type="radio"
              name={group}
              value={text}
              required
              checked={text === value}
              onChange={() => onChoose(text)}
            />
            <bdi>{text}</bdi>
          </label>
        )}
        {isCounted && <span className="votes">{votesText(votes, share)}</span>}
        {isMine && (
          <span className="mark">
            <Icon path="m3 8.5 3.5 3.5L13 4.5" />
            Your vote
          </span>
        )}
        {isCounted && (
          <div className="bar" aria-hidden="true">
            <div style={{ width: `${share * 100}%` }} />
          </div>
        )}
        {votes !== null && names !== null && names.length > 0 && (
          <p className="names hint">
            <Names names={names} votes={votes} />
          </p>
        )}
      </Row>
    )
  })
}

/** The names that others gave, and how many more voted. */
function Names({ names, votes }: { names: readonly string[]; votes: number }) {
  const rest = votes - names.length
  return (
    <>
      {names.map((name, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names of one text, which can be equal
        <Fragment key={at}>
          {at > 0 && ', '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
      {rest > 0 && ` and ${formatNumber(rest)} more`}
    </>
  )
}

/** Turnout, who sees the results, and the end of voting. */
function Facts({ poll, isOwner }: { poll: PollView; isOwner: boolean }) {
  const { closes_at: closesAt, is_closed: isClosed, total_votes: total } = poll
  const results = resultsText(poll, isOwner)
  return (
    <div className="facts hint">
      {total !== null && <p className="turnout">{turnoutText(total)}</p>}
      {results !== null && <p>{results}</p>}
      {closesAt !== null && (
        <p>
          {isClosed ? 'Voting ended ' : 'Voting ends '}
          <Time at={closesAt} />: {localTime(closesAt)}
        </p>
      )}
    </div>
  )
}
