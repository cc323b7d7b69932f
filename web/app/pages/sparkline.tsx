import { count } from '../../../src/model/numbers.ts'

const WIDTH = 56
const HEIGHT = 18
/** So that the ends of the line are not cut. */
const EDGE = 1.5

/** Views by day as a small line. What it says stands in its name, too. */
export function Sparkline({ days }: { days: readonly number[] }) {
  const total = days.reduce((sum, views) => sum + views, 0)
  const name = `${count(total, 'view')} in ${days.length} days`
  return (
    <svg
      role="img"
      aria-label={name}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="text-muted"
    >
      <title>{name}</title>
      <polyline
        points={pointsOf(days)}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

/** The line goes from the bottom for no view to the top for the best day. */
export function pointsOf(days: readonly number[]): string {
  const most = Math.max(1, ...days)
  const step = (WIDTH - 2 * EDGE) / Math.max(1, days.length - 1)
  return days
    .map((views, at) => {
      const y = HEIGHT - EDGE - (views / most) * (HEIGHT - 2 * EDGE)
      return `${round(EDGE + at * step)},${round(y)}`
    })
    .join(' ')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
