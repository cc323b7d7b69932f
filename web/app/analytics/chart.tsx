import { ScrollArea } from '../ui/scroll-area.tsx'
import { formatNumber } from '../ui/text.ts'

export interface Point {
  /** What the bar stands for, in words. */
  label: string
  views: number
}

interface ChartProps {
  /** What the chart shows. */
  label: string
  /** At least one has views. */
  points: Point[]
}

const HEIGHT = 160
/** Above the line of the most views, for its number. */
const TOP = 20

/** Bars by time, labelled directly, with a table of the same numbers behind. */
export function Chart({ label, points }: ChartProps) {
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
      <ScrollArea className="mt-2 max-h-64 overflow-y-auto">
        <table className="w-full">
          <caption className="sr-only">{label}</caption>
          <thead className="text-left text-muted">
            <tr className="border-b border-line">
              <th className="py-1.5 font-medium">When</th>
              <th className="py-1.5 text-right font-medium">Views</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ label: when, views }) => (
              <tr key={when} className="border-b border-line">
                <td className="py-1.5">{when}</td>
                <td className="py-1.5 text-right">{formatNumber(views)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </details>
  )
}
