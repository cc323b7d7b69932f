import { count } from '../../ui/text.ts'
import type { Place } from './code-mirror.ts'
import type { DraftWarning } from './session.ts'

interface WarningsProps {
  warnings: DraftWarning[]
  onGoTo(path: string, place: Place): void
}

/** What will not work for visitors, as the last save found it. A line leads to its place. */
export function Warnings({ warnings, onGoTo }: WarningsProps) {
  if (warnings.length === 0) return null
  return (
    <section aria-labelledby="warnings">
      <h2 id="warnings" className="mb-1 font-medium">
        {count(warnings.length, 'warning')} from the last save
      </h2>
      <ul className="max-h-40 divide-y divide-line overflow-y-auto border-y border-line">
        {warnings.map(({ code, message, path, line }) => (
          <li
            key={`${code} ${path} ${line} ${message}`}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2"
          >
            {line === null ? (
              <span className="w-28 shrink-0 truncate text-13 text-muted">{path ?? 'Page'}</span>
            ) : (
              <button
                type="button"
                className="link w-28 shrink-0 text-left text-13 tabular-nums"
                onClick={() => onGoTo(path ?? '', { line })}
              >
                {path === null ? '' : `${path}, `}line {line}
              </button>
            )}
            <p className="min-w-0 flex-1 basis-64">{message}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
