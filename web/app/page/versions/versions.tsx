import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Page } from '../../boot.ts'
import { Pending } from '../../ui/states.tsx'
import { versionsQuery } from '../queries.ts'
import { Compared } from './compared.tsx'
import { VersionRow } from './version-row.tsx'

/** The history of the page: its versions can be compared, named and restored. */
export default function VersionsTab({ page }: { page: Page }) {
  const { data, error, refetch } = useQuery(versionsQuery(page.id))
  const [chosen, setChosen] = useState<number[]>([])
  if (data === undefined) return <Pending error={error} onRetry={refetch} rows={8} />
  const { data: versions } = data
  const picked = chosen.filter((no) => versions.some(({ version_no }) => version_no === no))

  /** Two are compared: a third takes the place of the one that was picked first. */
  function pick(no: number, isPicked: boolean): void {
    setChosen(isPicked ? [...picked, no].slice(-2) : picked.filter((one) => one !== no))
  }
  const [from, to] = picked.toSorted((a, b) => a - b)
  return (
    <div className="grid gap-6">
      {to === undefined ? (
        <p className="max-w-2xl text-muted">
          Each publish and each save makes a version. Pick two to see what differs. Named versions
          are kept for ever; of the others, the newest 50.
        </p>
      ) : (
        <Compared page={page} from={from!} to={to} onClose={() => setChosen([])} />
      )}
      <ol aria-label="Versions" className="border-t border-line">
        {versions.map((version) => (
          <VersionRow
            key={version.version_no}
            page={page}
            version={version}
            isPicked={picked.includes(version.version_no)}
            onPick={(isPicked) => pick(version.version_no, isPicked)}
          />
        ))}
      </ol>
    </div>
  )
}
