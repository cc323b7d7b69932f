import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Page } from '../../boot.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { formatBytes } from '../../ui/text.ts'
import { Time } from '../../ui/time.tsx'
import { downloadContent } from '../details/download.ts'
import { NameVersion } from './name-version.tsx'
import { useRestore } from './use-restore.ts'
import type { Version } from './version.ts'

const HOW: Record<Version['source'], string> = {
  publish: 'Published',
  edit: 'Saved',
  restore: 'Restored',
}

interface VersionRowProps {
  page: Page
  version: Version
  isPicked: boolean
  onPick(isPicked: boolean): void
}

/** One version: its number and name, how and when it came, and what can be done with it. */
export function VersionRow(props: VersionRowProps) {
  const { page, version, isPicked, onPick } = props
  const { is_live: isLive = false, is_draft: isDraft = false } = version
  const { version_no: no, label, source, size_bytes: bytes, created_at: at } = version
  const [isNaming, setNaming] = useState(false)
  const [, navigate] = useLocation()
  const restore = useRestore(page)
  const name = `version ${no}`
  const id = `version-${no}`
  return (
    <li className="flex items-center gap-3 border-b border-line py-2.5">
      <input
        type="checkbox"
        aria-label={`Compare ${name}`}
        checked={isPicked}
        onChange={(event) => onPick(event.target.checked)}
        className="size-4 shrink-0 accent-accent"
      />
      <span id={id} className="w-8 shrink-0 text-right text-muted tabular-nums">
        <span className="sr-only">Version </span>
        {no}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          {label !== null && (
            <b className="min-w-0 font-medium break-words" dir="auto">
              {label}
            </b>
          )}
          <span className={label === null ? '' : 'text-muted'}>
            {HOW[source]} <Time at={at} />
          </span>
          {isLive && <Mark>Live</Mark>}
          {isDraft && !isLive && <Mark>Draft</Mark>}
        </p>
        <p className="text-13 text-muted tabular-nums">
          {formatBytes(bytes)}
          {label !== null && ', kept for ever'}
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-1">
        <Button
          look="quiet"
          className="max-sm:hidden"
          aria-describedby={id}
          onClick={() => setNaming(true)}
        >
          Name version
        </Button>
        {!isDraft && (
          <Button
            aria-describedby={id}
            disabled={restore.isPending}
            onClick={() => restore.mutate({ no, publish: false })}
          >
            Restore
          </Button>
        )}
        <Menu
          label={`More about ${name}`}
          icon={<Ellipsis size={18} />}
          items={[
            { label: 'Preview', onSelect: () => navigate(`/pages/${page.id}?version=${no}`) },
            { label: 'Download', onSelect: () => downloadContent(page, no) },
            { label: 'Name version', onSelect: () => setNaming(true) },
            {
              label: 'Restore and publish',
              isDisabled: isLive || restore.isPending,
              onSelect: () => restore.mutate({ no, publish: true }),
            },
          ]}
        />
      </div>
      {isNaming && <NameVersion page={page} version={version} onClose={() => setNaming(false)} />}
    </li>
  )
}

function Mark({ children }: { children: string }) {
  return (
    <span className="rounded-control border border-control px-1.5 text-12 font-medium">
      {children}
    </span>
  )
}
