import { useLocation } from 'wouter-preact'
import { NameDialog } from '../ui/name-dialog.tsx'
import { moveTo, pagesIn } from './actions.ts'
import type { Filters } from './filters.ts'
import { saveView, useViews } from './views.ts'

/** @param name that it has; left out of a new one */
export function NameView({ filters, name: was }: { filters: Filters; name?: string }) {
  const views = useViews()
  async function save(name: string): Promise<void> {
    if (views.some((view) => view.name === name)) throw new Error('Another view has this name.')
    await saveView({ name, filters }, was)
  }
  return (
    <NameDialog
      title={was === undefined ? 'Save this view' : 'Rename the view'}
      action={was === undefined ? 'Save' : 'Rename'}
      {...(was !== undefined && { before: was })}
      maxLength={60}
      said={was === undefined ? 'View saved' : 'View renamed'}
      save={save}
    />
  )
}

/** All pages of the folder go to one of the new name. */
export function RenameFolder({ name: before }: { name: string }) {
  const [, navigate] = useLocation()
  async function save(to: string): Promise<void> {
    await moveTo(await pagesIn(before), to)
    navigate(`/?${new URLSearchParams({ folder: to })}`)
  }
  return (
    <NameDialog title="Rename the folder" action="Rename" maxLength={100} {...{ before, save }} />
  )
}
