import type { ReactNode } from 'react'
import type { Output } from '../../../src/client/index.ts'
import { Chart, type Point } from './chart.tsx'
import { type Ranked, RankedList } from './ranked.tsx'
import { durationInWords, reasonInWords } from './words.ts'

export type Report = Output<'getAnalytics'>['data']

/** The tables and charts of a report, below its summary. Those outside the plan are left out. */
export function ReportView({ report, children }: { report: Report; children?: ReactNode }) {
  return (
    <div className="grid gap-10">
      {report.views > 0 && (
        <Chart label={`Views by ${report.interval}`} points={pointsOf(report)} />
      )}
      {children}
      <Reached report={report} />
      <div className="grid gap-x-12 gap-y-10 md:grid-cols-2">
        <Counts title="Where from" nameless="Direct or unknown" counts={report.referrers} />
        <Counts title="Countries" nameless="Unknown" counts={report.countries} />
        <Counts title="Devices" nameless="Unknown" counts={report.devices} isWord />
        <Counts title="Browsers" nameless="Unknown" counts={report.browsers} />
        {report.refusals && report.refusals.length > 0 && (
          <RankedList
            title="At the gate"
            about="Those who met a gate or a notice. Some of them got in afterwards."
            items={report.refusals.map(({ reason, count }) => ({
              name: capitalized(reasonInWords(reason)),
              count,
            }))}
          />
        )}
      </div>
    </div>
  )
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

type CountList = NonNullable<Report['referrers']>

interface CountsProps {
  title: string
  /** The label of views whose value is unknown. */
  nameless: string
  counts: CountList | undefined
  /** The values are words, which begin with a capital here. */
  isWord?: boolean
}

function Counts({ title, nameless, counts, isWord = false }: CountsProps) {
  // Without a proxy that sends them, countries are unknown.
  if (counts === undefined || counts.every(({ value }) => value === null)) return null
  const items = counts.map(({ value, views }) => ({
    name: value === null ? nameless : isWord ? capitalized(value) : value,
    count: views,
  }))
  return <RankedList title={title} items={items} />
}

/** How far they got: files and sections of a deck, or pages of a PDF, with the time spent there. */
function Reached({ report }: { report: Report }) {
  const { files = [], sections = [], sheets = [], measured } = report
  const lists: [string, Ranked[]][] = [
    ['Pages of the PDF', sheets.map((each) => ranked(`Page ${each.sheet}`, each))],
    ['Files', files.map((each) => ranked(each.path, each))],
    ['Sections', sections.map((each) => ranked(each.path, each))],
  ]
  const shown = lists.filter(([, items]) => items.length > 0)
  if (measured === undefined || (shown.length === 0 && measured.opens === 0)) return null
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
        {shown.map(([title, items]) => (
          <RankedList key={title} title={title} items={items} />
        ))}
      </div>
    </div>
  )
}

function ranked(name: string, { views, seconds }: { views: number; seconds: number }): Ranked {
  return { name, count: views, ...(seconds > 0 && { note: durationInWords(seconds) }) }
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const HOUR = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const YEAR = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** Days are named as days, and with the year where there is more than one. */
function pointsOf({ series, interval }: Report): Point[] {
  const years = new Set(series.map(({ at }) => at.slice(0, 4)))
  const day = years.size > 1 ? YEAR : DAY
  return series.map(({ at, views }) => ({
    label: interval === 'hour' ? HOUR.format(new Date(at)) : day.format(new Date(`${at}T00:00Z`)),
    views,
  }))
}
