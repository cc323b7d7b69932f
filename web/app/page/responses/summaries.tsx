import { useState } from 'preact/compat'
import { count, formatNumber } from '../../../../src/model/numbers.ts'
import { QuietButton } from '../../ui/button.tsx'
import { Note } from '../../ui/field.tsx'
import { ShareBar } from '../../ui/section.tsx'
import type { Summary } from './report.ts'
import { barsOf, type Choice, fieldName, formatValue, TYPE_WORDS, valueText } from './values.ts'

const SHOWN_FIELDS = 9
/** On a phone they stand one below the other. */
const SHOWN_ON_PHONES = 3
const SHOWN_BARS = 6
const SHOWN_SAMPLES = 3
const UNANSWERED = <Note>Nobody has answered it yet.</Note>

interface SummariesProps {
  summaries: readonly Summary[]
  choices: readonly Choice[]
  onToggle(choice: Choice): void
}

export function Summaries({ summaries, choices, onToggle }: SummariesProps) {
  const [isWhole, setWhole] = useState(false)
  const fields = isWhole ? summaries : summaries.slice(0, SHOWN_FIELDS)
  return (
    <section aria-label="Summary" className="grid grid-cols-1 gap-4">
      <div className="grid grid-cols-1 gap-x-8 sm:grid-cols-2 lg:grid-cols-3">
        {fields.map((summary, at) => (
          <FieldSummary
            key={summary.key}
            className={!isWhole && at >= SHOWN_ON_PHONES ? 'max-sm:hidden' : ''}
            summary={summary}
            selection={choices.filter(({ key }) => key === summary.key).map(({ value }) => value)}
            onToggle={(value) => onToggle({ key: summary.key, value })}
          />
        ))}
      </div>
      {summaries.length > SHOWN_ON_PHONES && (
        <QuietButton
          className={`-ml-3 justify-self-start ${summaries.length > SHOWN_FIELDS ? '' : 'sm:hidden'}`}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer fields' : `Show all ${formatNumber(summaries.length)} fields`}
        </QuietButton>
      )}
    </section>
  )
}

interface FieldSummaryProps {
  className: string
  summary: Summary
  selection: readonly string[]
  onToggle(value: string): void
}

function FieldSummary({ summary, className, ...rest }: FieldSummaryProps) {
  const { type, answered } = summary
  return (
    <div className={`min-w-0 border-t border-line py-4 ${className}`}>
      <h2 className="truncate text-13 font-medium" dir="auto" title={summary.key}>
        {fieldName(summary)}
      </h2>
      <p className="mb-2 text-12 text-muted">
        {TYPE_WORDS[type]} · {formatNumber(answered)} answered
      </p>
      {(type === 'choice' || type === 'multi' || type === 'boolean') && (
        <Bars summary={summary} {...rest} />
      )}
      {type === 'number' && <Range summary={summary} />}
      {type === 'text' && <Samples summary={summary} />}
      {type === 'rows' && <p>{count(summary.items ?? 0, 'item')} in all lists</p>}
    </div>
  )
}

function Bars({ summary, selection, onToggle }: Omit<FieldSummaryProps, 'className'>) {
  const bars = barsOf(summary)
  const [isWhole, setWhole] = useState(false)
  const rows = isWhole ? bars : bars.slice(0, SHOWN_BARS)
  if (bars.length === 0) return UNANSWERED
  return (
    <>
      <ul className="-mx-2 grid grid-cols-1 gap-0.5">
        {rows.map(({ value, text, count: votes, share }) => (
          <li key={value}>
            <button
              type="button"
              aria-pressed={selection.includes(value)}
              title="Show only these"
              onClick={() => onToggle(value)}
              className="grid w-full grid-cols-1 gap-1 rounded-control px-2 py-1 text-left hover:bg-sunk aria-pressed:bg-sunk pointer-coarse:min-h-11"
            >
              <span className="flex justify-between gap-3 text-13">
                <bdi className="min-w-0 break-words">{text}</bdi>
                <span className="shrink-0 tabular-nums">
                  {formatNumber(votes)}{' '}
                  <span className="inline-block w-9 text-right text-muted">
                    {Math.round(share * 100)}%
                  </span>
                </span>
              </span>
              <ShareBar share={share} />
            </button>
          </li>
        ))}
      </ul>
      {bars.length > SHOWN_BARS && (
        <button type="button" className="link mt-1 text-13" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `${formatNumber(bars.length - SHOWN_BARS)} more`}
        </button>
      )}
    </>
  )
}

function Range({ summary: { mean, min, max } }: { summary: Summary }) {
  if (mean == null) return UNANSWERED
  const [low, high] = [Number(min), Number(max)]
  const at = high > low ? ((mean - low) / (high - low)) * 100 : 50
  return (
    <>
      <p className="text-21 tabular-nums">
        {formatValue(mean)} <span className="text-13 text-muted">on average</span>
      </p>
      <svg aria-hidden="true" className="my-1.5 h-3 w-full overflow-visible" focusable="false">
        <rect y="5" width="100%" height="2" className="fill-line" />
        <circle cx={`${at}%`} cy="6" r="4.5" className="fill-accent" />
      </svg>
      <p className="flex justify-between gap-3 text-13 text-muted tabular-nums">
        <span className="truncate">{valueText(min)} lowest</span>
        <span className="truncate">{valueText(max)} highest</span>
      </p>
    </>
  )
}

function Samples({ summary: { samples = [] } }: { summary: Summary }) {
  if (samples.length === 0) return UNANSWERED
  return (
    <ul className="grid grid-cols-1 gap-2">
      {samples.slice(0, SHOWN_SAMPLES).map(({ value, respondent }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words without identity
        <li key={at} className="text-13">
          <p dir="auto" className="line-clamp-2 overflow-hidden break-words">
            {value}
          </p>
          <p className="truncate text-12 text-muted">{respondent}</p>
        </li>
      ))}
    </ul>
  )
}
