import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { Page } from '../boot.ts'
import { IconButton } from '../ui/button.tsx'
import { INPUT } from '../ui/field.tsx'
import { useSettings } from './use-page.ts'
import { nameOf } from './words.ts'

/** The title, which is edited in its place: Enter saves, Escape leaves it as it was. */
export function TitleField({ page }: { page: Page }) {
  const [text, setText] = useState<string | null>(null)
  const { mutate } = useSettings(page)

  function save(): void {
    const title = text?.trim() ?? ''
    if (title !== '' && title !== page.title) mutate({ title })
    setText(null)
  }
  if (text === null) {
    return (
      <div className="group flex min-w-0 items-center gap-1">
        <h1 className="min-w-0 font-serif text-28 font-medium" dir="auto">
          {nameOf(page)}
        </h1>
        <IconButton label="Rename" onClick={() => setText(page.title ?? '')}>
          <Pencil size={16} />
        </IconButton>
      </div>
    )
  }
  return (
    <input
      aria-label="Title"
      className={`${INPUT} max-w-lg font-serif text-28!`}
      maxLength={200}
      value={text}
      // The field replaces the title that was pressed, so the keyboard belongs to it.
      ref={focusOnce}
      onChange={(event) => setText(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save()
        if (event.key === 'Escape') setText(null)
      }}
    />
  )
}

function focusOnce(element: HTMLInputElement | null): void {
  element?.focus()
}
