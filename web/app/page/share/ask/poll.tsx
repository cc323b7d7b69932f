import { useQuery } from '@tanstack/preact-query'
import { useRef, useState } from 'preact/compat'
import { count } from '../../../../../src/model/numbers.ts'
import { MAX_POLL_QUESTION } from '../../../../../src/model/page/facts.ts'
import { api, type Page, read } from '../../../api.ts'
import { PrimaryButton } from '../../../ui/button.tsx'
import { Note, Select, TextField } from '../../../ui/field.tsx'
import { TextLink } from '../../../ui/link.tsx'
import { ownZone } from '../dates.ts'
import { useConfirmedNote } from '../personal-link.tsx'
import { DateField, Refusal, Setting, SettingSwitch } from '../section.tsx'
import { useCommit, useSharing, useText, useUnsent } from '../sharing.ts'
import { filledOptions, OptionRows, problemOf } from './option-rows.tsx'

const NAMED =
  'You see the address, others who see the results see the name. A vote cast while this is off ' +
  'stays secret for good, from you too.'

const RESULTS: Record<Page['poll_results'], string> = {
  public: 'Everyone',
  vote: 'Those who have voted',
  closed: 'Everyone, once voting has ended',
  owner: 'Only you',
}

const FIELD = 'poll_options'

interface NewPoll {
  question: string
  rows: string[]
}

/** A poll. Question and options are collected first, and saved together when it starts. */
export function Poll() {
  const { page, save } = useSharing()
  const [isNew, setNew] = useState(false)
  const [draft, setDraft] = useState<NewPoll>({ question: '', rows: ['', ''] })
  const { collect_votes: isOn, poll_question: question, poll_options: options } = page

  function change(next: boolean): void {
    const isComplete = question !== null && options.length > 0
    setNew(next && !isComplete)
    if (next ? isComplete : isOn) save('collect_votes', { collect_votes: next })
  }
  return (
    <Setting
      field="collect_votes"
      label="Poll"
      help={
        isOn || question === null
          ? 'One question, answered with one of your options.'
          : 'Off: its question and votes are kept.'
      }
      isOn={isOn || isNew}
      onChange={change}
    >
      {isOn ? <PollFields /> : isNew && <NewPollFields draft={draft} onChange={setDraft} />}
    </Setting>
  )
}

function NewPollFields({ draft, onChange }: { draft: NewPoll; onChange(draft: NewPoll): void }) {
  const { save } = useSharing()
  const [wasTried, setTried] = useState(false)
  const question = draft.question.normalize('NFC').trim()
  const problem = problemOf(draft.rows)
  useUnsent('Poll', question !== '' || filledOptions(draft.rows).length > 0)

  function start(): void {
    setTried(true)
    if (question === '' || problem !== null) return
    save('collect_votes', {
      collect_votes: true,
      poll_question: question,
      poll_options: filledOptions(draft.rows),
    })
  }
  return (
    <>
      <TextField
        label="Question"
        dir="auto"
        maxLength={MAX_POLL_QUESTION}
        value={draft.question}
        error={wasTried && question === '' ? 'Ask something.' : null}
        onChange={({ currentTarget }) => onChange({ ...draft, question: currentTarget.value })}
      />
      <OptionRows
        rows={draft.rows}
        error={wasTried ? problem : null}
        onChange={(rows) => onChange({ ...draft, rows })}
        onBlur={() => {}}
      />
      <div className="flex flex-wrap items-center gap-3">
        <PrimaryButton onClick={start}>Start poll</PrimaryButton>
        <Note>Viewers see nothing of it before.</Note>
      </div>
    </>
  )
}

function PollFields() {
  const { page } = useSharing()
  const question = useText('poll_question', 'Question', {
    max: MAX_POLL_QUESTION,
    none: 'A poll needs a question.',
  })
  const options = useOptions()
  return (
    <>
      <TextField dir="auto" {...question.props} />
      <OptionRows {...options} />
      <Votes />
      <Results />
      <SettingSwitch
        name="poll_require_email"
        label="One vote per confirmed email"
        help={`Otherwise one vote per browser, and nobody gives an address.${useConfirmedNote()}`}
        also={(isOn) => (isOn ? {} : { poll_named: false })}
      />
      <SettingSwitch
        name="poll_named"
        label="Show who voted for what"
        help={page.poll_require_email ? NAMED : 'Needs a confirmed email for each vote.'}
        isDisabled={!page.poll_require_email && !page.poll_named}
      />
      <DateField name="poll_closes_at" label="Voting ends" help={endHelp(page)} />
    </>
  )
}

function endHelp({ poll_closes_at: end }: Page): string {
  if (end === null) return `Never. Times in ${ownZone()}.`
  return Date.parse(end) <= Date.now() ? 'Voting has ended.' : `Times in ${ownZone()}.`
}

/** The number of votes, which the removal of an option would set aside. */
function Votes() {
  const { id } = useSharing().page
  const poll = read(['poll', id, 'votes'], () => api.getPoll({ id, limit: 1 }), 30_000)
  const { data: { total_votes: votes } = {} } = useQuery(poll)
  if (!votes) return null
  return (
    <Note>
      <TextLink href={`/pages/${id}/poll`}>{count(votes, 'vote')}</TextLink> so far. An option keeps
      its votes when you reword or move it; when you remove it, they no longer count.
    </Note>
  )
}

function Results() {
  const { page, save } = useSharing()
  const isNeverShown = page.poll_results === 'closed' && page.poll_closes_at === null
  return (
    <div>
      <Select
        label="Who sees the results"
        value={page.poll_results}
        help={isNeverShown ? 'Nobody does until you say below when voting ends.' : ''}
        options={RESULTS}
        onText={(value) => save('poll_results', { poll_results: value as Page['poll_results'] })}
      />
      <Refusal field="poll_results" />
    </div>
  )
}

/** The rows of the options, saved as a whole, or kept as typed while they are no options yet. */
function useOptions() {
  const { page, saver, state, save } = useSharing()
  const [draft, setDraft] = useState<string[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  /** What the rows were made from: what another tab adds and removes meanwhile stays so. */
  const base = useRef(page.poll_options)
  if (draft === null) base.current = page.poll_options

  /** @returns whether the rows are stuck */
  function commit(rows: string[] | null): boolean {
    if (rows === null) return false
    const options = filledOptions(rows)
    const wrong = problemOf(rows)
    setProblem(wrong)
    if (wrong !== null) return true
    const before = base.current
    if (JSON.stringify(options) !== JSON.stringify(before)) {
      save(FIELD, ({ poll_options: now }) => ({
        poll_options: [
          ...options.filter((option) => !before.includes(option) || now.includes(option)),
          ...now.filter((option) => !before.includes(option) && !options.includes(option)),
        ],
      }))
      base.current = options
    }
    // An empty row is for the option that is typed next.
    setDraft(options.length < rows.length ? rows : null)
    return false
  }
  useCommit('Options', () => commit(draft))

  return {
    rows: draft ?? page.poll_options,
    error: problem ?? state.refusals.get(FIELD),
    onChange(rows: string[], isDone: boolean) {
      setDraft(rows)
      setProblem(null)
      saver.clearRefusal(FIELD)
      if (isDone) commit(rows)
    },
    onBlur: () => void commit(draft),
  }
}
