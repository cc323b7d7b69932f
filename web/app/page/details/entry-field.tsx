import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, messageOf } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { Select } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { pageQuery } from '../queries.ts'

/** The file that visitors of a deck see first. It is part of the draft: publish to show it. */
export function EntryField({ page }: { page: Page }) {
  const client = useQueryClient()
  const { data: paths = [page.entry_path ?? ''] } = useQuery({
    queryKey: ['deck-pages', page.id, page.updated_at],
    queryFn: async () => {
      const { data } = await api.readHtml({ id: page.id })
      return data.kind === 'bundle' ? data.files.map(({ path }) => path) : []
    },
  })
  const change = useMutation({
    mutationFn: async (entry: string) => (await api.updatePage({ id: page.id, entry })).data,
    onSuccess: (saved) => {
      client.setQueryData(pageQuery(page.id).queryKey, saved)
      void client.invalidateQueries({ queryKey: ['versions', page.id] })
      showToast('The draft has another entry. Publish to show it.')
    },
  })
  return (
    <Select
      label="Entry"
      value={page.entry_path ?? ''}
      disabled={change.isPending}
      error={change.isError ? messageOf(change.error) : null}
      help="The file that visitors see first. It is part of the draft."
      onChange={(event) => change.mutate(event.target.value)}
    >
      {paths.map((path) => (
        <option key={path}>{path}</option>
      ))}
    </Select>
  )
}
