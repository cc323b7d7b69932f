import { Trash2, X } from 'lucide-react'
import { Button, IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { count } from '../ui/text.ts'

interface SelectionBarProps {
  urls: string[]
  /** Chooses every page of the list; null where all are chosen. */
  onChooseAll: (() => void) | null
  onDelete(): void
  onClear(): void
}

/** What can be done with the chosen pages. */
export function SelectionBar({ urls, onChooseAll, onDelete, onClear }: SelectionBarProps) {
  return (
    <section
      aria-label="Chosen pages"
      className="fixed inset-x-0 bottom-18 z-30 mx-auto flex w-fit max-w-[calc(100%-1rem)] flex-wrap items-center justify-center gap-1 rounded-card border border-line bg-raised py-1.5 pr-1.5 pl-4 shadow-float md:bottom-6"
    >
      <p role="status" className="mr-2 text-13 whitespace-nowrap">
        {count(urls.length, 'page')} chosen
      </p>
      {onChooseAll && (
        <Button look="quiet" onClick={onChooseAll}>
          Select all
        </Button>
      )}
      <CopyButton
        look="quiet"
        text={urls.join('\n')}
        label={urls.length === 1 ? 'Copy link' : 'Copy links'}
      />
      <Button
        look="quiet"
        className="text-danger!"
        icon={<Trash2 size={16} aria-hidden />}
        onClick={onDelete}
      >
        Delete
      </Button>
      <IconButton label="Choose none" onClick={onClear}>
        <X size={16} />
      </IconButton>
    </section>
  )
}
