import type { ReactNode } from 'preact/compat'
import { useSearchParams } from 'wouter-preact'
import { firstUpper } from '../../../src/model/decision.ts'
import { formatNumber } from '../../../src/model/numbers.ts'
import { useBoot } from '../account.ts'
import { api, type Output, read } from '../api.ts'
import { Note, Select } from '../ui/field.tsx'
import { Section, Table } from '../ui/section.tsx'
import { parseRange, queryOf, RANGES, type Range, readersZone } from './ranges.ts'
import { durationInWords, reasonInWords } from './words.ts'

const HEIGHT = 160
/** Above the line of the most views, for its number. */
const TOP = 20

const MAX_ITEMS = 8

export type Report = Output<'getAnalytics'>['data']

export function ReportView({ report, children }: { report: Report; children?: ReactNode }) {
  const { views, interval, refusals = [] } = report
  return (
    <div className="grid gap-10">
      {views > 0 && <Chart label={`Views by ${interval}`} points={pointsOf(report)} />}
      {children}
      <Reached report={report} />
      <div className="grid gap-x-12 gap-y-10 md:grid-cols-2">
        <Counts title="Where from" nameless="Direct or unknown" counts={report.referrers} />
        <Counts title="Countries" nameless="Unknown" counts={report.countries} />
        <Counts title="Devices" nameless="Unknown" counts={report.devices} isWord />
        <Counts title="Browsers" nameless="Unknown" counts={report.browsers} />
        {refusals.length > 0 && (
          <RankedList
            title="At the gate"
            about="Those who met a gate or a notice. Some of them got in afterwards."
            items={refusals.map(({ reason, count }) => ({
              name: firstUpper(reasonInWords(reason)),
              count,
            }))}
          />
        )}
      </div>
    </div>
  )
}

type CountList = NonNullable<Report['referrers']>

interface CountsProps {
  title: string
  nameless: string
  counts: CountList | undefined
  /** The values are words, which begin with a capital here. */
  isWord?: boolean
}

function Counts({ title, nameless, counts, isWord = false }: CountsProps) {
  // Without a proxy that sends them, countries are unknown.
  if (counts === undefined || counts.every(({ value }) => value === null)) return null
  const items = counts.map(({ value, views }) => ({
    name: value === null ? nameless : isWord ? firstUpper(value) : value,
    count: views,
  }))
  return <RankedList title={title} items={items} />
}

/** How far they got: files and sections of a deck, or pages of a PDF, with the time spent there. */
function Reached({ report }: { report: Report }) {
  const { files = [], sections = [], sheets = [], measured } = report
  const all: [string, Ranked[]][] = [
    ['Pages of the PDF', sheets.map((each) => ranked(`Page ${each.sheet}`, each))],
    ['Files', files.map((each) => ranked(each.path, each))],
    ['Sections', sections.map((each) => ranked(each.path, each))],
  ]
  const lists = all.filter(([, items]) => items.length > 0)
  if (measured === undefined || (lists.length === 0 && measured.opens === 0)) return null
  return (
    <div className="grid gap-6">
      <p>
        {measured.seconds_median !== null && (
          <>Half stayed longer than {durationInWords(measured.seconds_median)}. </>
        )}
        <span className="text-muted">
          Time was measured in {measured.opens} of {report.views} opens.
        </span>
      </p>
      <div className="grid gap-x-12 gap-y-10 md:grid-cols-2">
        {lists.map(([title, items]) => (
          <RankedList key={title} title={title} items={items} />
        ))}
      </div>
    </div>
  )
}

function ranked(name: string, { views, seconds }: { views: number; seconds: number }): Ranked {
  return { name, count: views, ...(seconds > 0 && { note: durationInWords(seconds) }) }
}

const format = (style: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', style)
const DAY = format({ day: 'numeric', month: 'short', timeZone: 'UTC' })
const HOUR = format({ weekday: 'short', hour: '2-digit', minute: '2-digit' })
const YEAR = format({ dateStyle: 'medium', timeZone: 'UTC' })

/** Days are named as days, and with the year where there is more than one. */
function pointsOf({ series, interval }: Report) {
  const years = new Set(series.map(({ at }) => at.slice(0, 4)))
  const day = years.size > 1 ? YEAR : DAY
  return series.map(({ at, views }) => ({
    label: interval === 'hour' ? HOUR.format(new Date(at)) : day.format(new Date(`${at}T00:00Z`)),
    views,
  }))
}

type Point = ReturnType<typeof pointsOf>[number]

interface ChartProps {
  label: string
  /** At least one has views. */
  points: Point[]
}

function Chart({ label, points }: ChartProps) {
  const most = Math.max(...points.map(({ views }) => views))
  const [first] = points
  const last = points.at(-1)
  return (
    <figure>
      <div className="relative border-b border-control">
        <span className="absolute top-0 left-0 text-12 text-muted tabular-nums">
          {formatNumber(most)}
        </span>
        <svg role="img" aria-label={label} width="100%" height={HEIGHT} className="block">
          <line x1="0" x2="100%" y1={TOP} y2={TOP} stroke="var(--line)" />
          {points.map((point, at) => (
            <Bar key={point.label} point={point} at={at} of={points.length} most={most} />
          ))}
        </svg>
      </div>
      <div className="mt-1 flex justify-between text-12 text-muted">
        <span>{first?.label}</span>
        {points.length > 1 && <span>{last?.label}</span>}
      </div>
      <TableOf label={label} points={points} />
    </figure>
  )
}

function Bar({ point, at, of, most }: { point: Point; at: number; of: number; most: number }) {
  const step = 100 / of
  const height = (point.views / most) * (HEIGHT - TOP)
  return (
    <g className="group">
      <title>{`${point.label}: ${formatNumber(point.views)}`}</title>
      <rect x={`${at * step}%`} width={`${step}%`} height={HEIGHT} fill="transparent" />
      <rect
        x={`${(at + 0.12) * step}%`}
        width={`${step * 0.76}%`}
        y={HEIGHT - height}
        height={height}
        rx={Math.min(2, height)}
        className="fill-accent group-hover:opacity-70"
      />
    </g>
  )
}

function TableOf({ label, points }: ChartProps) {
  return (
    <details className="mt-2 text-13">
      <summary className="w-fit text-muted hover:text-ink">As a table</summary>
      <div className="mt-2 max-h-64 overflow-y-auto">
        <Table
          label={label}
          columns={['When', 'Views']}
          rows={points.map(({ label: when, views }) => [when, when, formatNumber(views)])}
        />
      </div>
    </details>
  )
}

interface Ranked {
  name: string
  count: number
  /** Beside the number, such as the time spent there. */
  note?: string
}

function RankedList({ title, about, items }: { title: string; about?: string; items: Ranked[] }) {
  const most = Math.max(1, ...items.map(({ count }) => count))
  const top = items.slice(0, MAX_ITEMS)
  const others = items.slice(MAX_ITEMS).reduce((sum, { count }) => sum + count, 0)
  return (
    <Section title={title} about={about}>
      {items.length === 0 ? (
        <Note>Nothing yet</Note>
      ) : (
        <ol className="grid gap-1 text-13">
          {top.map(({ name, count, note }) => (
            <li key={name} className="relative flex justify-between gap-4 px-2 py-1">
              <span
                aria-hidden
                className="absolute inset-y-0 left-0 rounded-sm bg-accent/15"
                style={{ width: `${(count / most) * 100}%` }}
              />
              <bdi className="relative min-w-0 truncate">{name}</bdi>
              <span className="relative shrink-0 tabular-nums">
                {note && <span className="mr-3 text-muted">{note}</span>}
                {formatNumber(count)}
              </span>
            </li>
          ))}
          {others > 0 && (
            <li className="flex justify-between gap-4 px-2 py-1 text-muted">
              <span>Others</span>
              <span className="tabular-nums">{formatNumber(others)}</span>
            </li>
          )}
        </ol>
      )}
    </Section>
  )
}

/** The range of the address, and the control that changes it. */
export function useRange(): [Range, React.ReactNode] {
  const [params, setParams] = useSearchParams()
  const range = parseRange(params.get('range'))
  const choice = (
    <Select
      label="Time"
      isLabelHidden
      value={range}
      options={RANGES}
      onText={(value) => setParams({ range: value }, { replace: true })}
    />
  )
  return [range, choice]
}

export function PlanNote() {
  const { plan_names: names } = useBoot()
  return (
    <p className="mt-10 max-w-2xl border-t border-line pt-4 text-13 text-muted">
      Viewers, where they come from, devices, time spent and refusals are in {names.pro}. The
      operator of this server sets the plan.
    </p>
  )
}

const REFRESH_MS = 30_000

function inputOf(range: Range, isWhole: boolean) {
  const query = queryOf(range, { now: Date.now(), tz: readersZone() })
  return isWhole ? query : { ...query, only: 'views' as const }
}

/** A page's report. The free plan includes views alone. */
export function pageReport(id: string, range: Range, isWhole: boolean) {
  const report = () => api.getAnalytics({ id, ...inputOf(range, isWhole) })
  return read(['analytics', id, range, isWhole], report, REFRESH_MS)
}

/** The report of all pages together, with the views of each for spans of at most 90 days. */
export function accountReport(range: Range, isWhole: boolean) {
  const group = range === 'all' ? {} : { group: 'page' as const }
  const report = () => api.getAccountAnalytics({ ...inputOf(range, isWhole), ...group })
  return read(['analytics', 'account', range, isWhole], report, REFRESH_MS)
}
