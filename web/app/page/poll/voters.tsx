import { ShowMore, type ShowMoreProps } from '../../ui/show-more.tsx'
import { Time } from '../../ui/time.tsx'
import type { Poll } from './queries.ts'

interface VotersProps {
  /** Null where votes are secret. */
  voters: NonNullable<Poll['voters']> | null
  query: ShowMoreProps['query']
}

/** Who voted for what, in polls with named votes. */
export function Voters({ voters, query }: VotersProps) {
  if (voters === null) {
    return (
      <p className="text-13 text-muted">
        Votes are secret: nobody learns who voted for what, not even you.
      </p>
    )
  }
  if (voters.length === 0) return null
  const cell = 'border-b border-line py-2 pr-4 align-top'
  return (
    <section className="grid grid-cols-1 gap-3">
      <h2 className="font-medium">Voters</h2>
      <div className="overflow-x-auto">
        <table aria-label="Voters" className="w-full text-13">
          <thead>
            <tr className="text-left text-muted">
              <th scope="col" className={`${cell} font-normal`}>
                Address
              </th>
              <th scope="col" className={`${cell} font-normal`}>
                Vote
              </th>
              <th scope="col" className={`${cell} font-normal`}>
                When
              </th>
            </tr>
          </thead>
          <tbody>
            {voters.map(({ email, name, option, voted_at: at }) => (
              <tr key={email}>
                <td className={cell}>
                  <span className="block max-w-64 truncate">{email}</span>
                  <span className="block max-w-64 truncate text-muted" dir="auto">
                    {name}
                  </span>
                </td>
                <td className={`${cell} break-words`} dir="auto">
                  {option}
                </td>
                <td className={`${cell} whitespace-nowrap text-muted`}>
                  <Time at={at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ShowMore query={query} label="Show earlier votes" />
    </section>
  )
}
