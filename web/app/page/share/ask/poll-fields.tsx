import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { MAX_POLL_QUESTION } from '../../../../../src/model/page/limits.ts'
import { api } from '../../../api.ts'
import type { Page } from '../../../boot.ts'
import { Select, TextField } from '../../../ui/field.tsx'
import { count } from '../../../ui/text.ts'
import { DateField } from '../date-field.tsx'
import { ownZone } from '../dates.ts'
import { Refusal, SettingSwitch } from '../setting-switch.tsx'
import { useSharing } from '../sharing.ts'
import { type Parsed, useDraft } from '../use-draft.ts'
import { OptionRows } from './option-rows.tsx'
import { useOptions } from './use-options.ts'

/** The fields of a poll that runs. */
export function PollFields() {
  const { page } = useSharing()
  const question = useDraft({
    field: 'poll_question',
    label: 'Question',
    stored: page.poll_question ?? '',
    parse: (text) => parseQuestion(text, page.poll_question),
  })
  const options = useOptions()
  return (
    <>
      <TextField label="Question" dir="auto" error={question.error} {...question.props} />
      <OptionRows {...options} />
      <Votes />
      <Results />
      <SettingSwitch
        name="poll_require_email"
        label="One vote per confirmed email"
        help="Otherwise one vote per browser, and nobody gives an address."
        also={(isOn) => (isOn ? {} : { poll_named: false })}
      />
      <SettingSwitch
        name="poll_named"
        label="Show who voted for what"
        help={page.poll_require_email ? NAMED : 'Needs a confirmed email for each vote.'}
        isDisabled={!page.poll_require_email && !page.poll_named}
      />
      <DateField name="poll_closes_at" label="Voting ends" never="Never" help={endHelp(page)} />
    </>
  )
}

const NAMED =
  'You see the address, others who see the results see the name. A vote cast while this is off ' +
  'stays secret for good, from you too.'

function parseQuestion(text: string, stored: string | null): Parsed {
  const question = text.normalize('NFC').trim()
  if (question === stored) return null
  if (question === '') return { problem: 'A poll needs a question.' }
  if ([...question].length > MAX_POLL_QUESTION) {
    return { problem: `At most ${MAX_POLL_QUESTION} characters.` }
  }
  return { values: { poll_question: question } }
}

function endHelp({ poll_closes_at: end }: Page): string {
  if (end === null) return `Never. Times in ${ownZone()}.`
  return Date.parse(end) <= Date.now() ? 'Voting has ended.' : `Times in ${ownZone()}.`
}

/** The number of votes, which the removal of an option would set aside. */
function Votes() {
  const { page } = useSharing()
  const { data } = useQuery({
    queryKey: ['poll', page.id, 'votes'],
    queryFn: async () => (await api.getPoll({ id: page.id, limit: 1 })).data.total_votes,
    refetchInterval: 30_000,
  })
  if (!data) return null
  return (
    <p className="text-13 text-muted">
      <Link href={`/pages/${page.id}/poll`} className="link">
        {count(data, 'vote')}
      </Link>{' '}
      so far. An option keeps its votes when you reword or move it; when you remove it, they no
      longer count.
    </p>
  )
}

const RESULTS: Record<Page['poll_results'], string> = {
  public: 'Everyone',
  vote: 'Those who have voted',
  closed: 'Everyone, once voting has ended',
  owner: 'Only you',
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
        onChange={({ target }) =>
          save('poll_results', { poll_results: target.value as Page['poll_results'] })
        }
      >
        {Object.entries(RESULTS).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Select>
      <Refusal field="poll_results" />
    </div>
  )
}
