import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, messageOf } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { pageQuery } from '../queries.ts'
import { useSettings } from '../use-page.ts'
import { shownLink } from '../words.ts'
import { AccentField } from './accent-field.tsx'
import { EntryField } from './entry-field.tsx'

/** The page’s address and colour, and where visitors of a deck land. */
export default function DetailsDialog({ page, onClose }: { page: Page; onClose(): void }) {
  const settings = useSettings(page)
  return (
    <Dialog title="Page details" onClose={onClose} isWide>
      <div className="grid gap-6">
        <SlugField page={page} />
        <AccentField value={page.accent} onChange={(accent) => settings.mutate({ accent })} />
        {page.kind === 'bundle' && <EntryField page={page} />}
      </div>
    </Dialog>
  )
}

/** The address is saved by a button, since links that were sent stop working. */
function SlugField({ page }: { page: Page }) {
  const client = useQueryClient()
  const [slug, setSlug] = useState(page.slug)
  const base = shownLink(page.url).slice(0, -page.slug.length)
  const change = useMutation({
    mutationFn: async (wanted: string) =>
      (await api.updatePage({ id: page.id, slug: wanted })).data,
    onSuccess: (saved) => {
      client.setQueryData(pageQuery(page.id).queryKey, saved)
      void client.invalidateQueries({ queryKey: ['pages'] })
      setSlug(saved.slug)
      showToast('The address is changed')
    },
  })
  const isChanged = slug.trim() !== page.slug
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) change.mutate(slug.trim())
      }}
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Address"
            value={slug}
            maxLength={63}
            spellCheck={false}
            autoCapitalize="off"
            className="font-mono"
            error={change.isError ? messageOf(change.error) : null}
            help={`${base}${slug.trim()}`}
            onChange={(event) => {
              setSlug(event.target.value)
              change.reset()
            }}
          />
        </div>
        <Button type="submit" className="mt-6" disabled={!isChanged || change.isPending}>
          Change address
        </Button>
      </div>
      {isChanged && (
        <p role="status" className="text-13 text-danger">
          Links that you have sent, {shownLink(page.url)}, stop working. Visitors who open them find
          nothing.
        </p>
      )}
    </form>
  )
}
