import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/compat'
import { ACCENTS, DEFAULT_ACCENT } from '../../../../src/model/accent.ts'
import { useAccount, useBoot } from '../../account.ts'
import { api, type Page } from '../../api.ts'
import { AccentField } from '../../ui/accent-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, Form } from '../../ui/dialog.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { useAction } from '../../use-action.ts'
import { type PageChange, pageQuery, useSettings, versionsQuery } from '../use-page.ts'
import { shownLink } from '../words.ts'

/** The default is that of the account. */
const CHOICES = ACCENTS.filter((accent) => accent !== DEFAULT_ACCENT)

export default function DetailsDialog(props: { page: Page }) {
  const { data: page = props.page } = useQuery(pageQuery(props.page.id))
  const settings = useSettings(page)
  const account = useAccount()
  const { server_accent: serverAccent } = useBoot()
  return (
    <Dialog title="Page details" isWide>
      <div className="grid gap-6">
        <SlugField page={page} />
        <AccentField
          value={page.accent === DEFAULT_ACCENT ? null : page.accent}
          inherited={{ name: 'As your account', accent: account.accent ?? serverAccent }}
          accents={CHOICES}
          help="Colours the gate, the viewer, comments and polls of this page."
          onChange={(accent) => settings.mutate({ accent: accent ?? DEFAULT_ACCENT })}
        />
        {page.kind === 'bundle' && <EntryField page={page} />}
      </div>
    </Dialog>
  )
}

/** The address is saved by a button, since links that were sent stop working. */
function SlugField({ page }: { page: Page }) {
  const [slug, setSlug] = useState(page.slug)
  const base = shownLink(page.url).slice(0, -page.slug.length)
  const change = useChange(page, 'The address is changed')
  const text = slug.trim()
  const isChanged = text !== page.slug
  const showSaved = { onSuccess: (saved: Page) => setSlug(saved.slug) }
  return (
    <Form
      className="grid gap-2"
      onSubmit={() => isChanged && change.mutate({ slug: text }, showSaved)}
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Address"
            value={slug}
            maxLength={63}
            spellcheck={false}
            autoCapitalize="off"
            className="font-mono"
            error={change.error}
            help={base + text}
            onText={(next) => [setSlug(next), change.reset()]}
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
    </Form>
  )
}

/** A change that is not shown before it is saved. Publishing waits for it. */
function useChange({ id }: Page, said: string) {
  return useAction(async (change: PageChange) => (await api.updatePage({ id, ...change })).data, {
    inOrder: ['settings', id],
    mutationKey: ['details', id],
    hasPlace: true,
    said,
    refresh: [pageQuery(id).queryKey, ['pages'], versionsQuery(id).queryKey],
  })
}

/** The file that visitors of a deck see first. It is part of the draft: publish to show it. */
function EntryField({ page }: { page: Page }) {
  const { data: paths = [page.entry_path ?? ''] } = useQuery({
    queryKey: ['deck-pages', page.id, page.updated_at],
    queryFn: async () => {
      const { data } = await api.readHtml({ id: page.id })
      return data.kind === 'bundle' ? data.files.map(({ path }) => path) : []
    },
  })
  const change = useChange(page, 'The draft has another entry. Publish to show it.')
  return (
    <Select
      label="Entry"
      value={page.entry_path ?? ''}
      disabled={change.isPending}
      error={change.error}
      help="The file that visitors see first. It is part of the draft."
      onText={(entry) => change.mutate({ entry })}
    >
      {paths.map((path) => (
        <option key={path}>{path}</option>
      ))}
    </Select>
  )
}
