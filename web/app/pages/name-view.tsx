import { NameDialog } from '../ui/name-dialog.tsx'
import type { Filters } from './filters.ts'
import { saveView, useViews } from './views.ts'

interface NameViewProps {
  filters: Filters
  /** The name that it has; left out where it has none. */
  name?: string
  onClose(): void
}

export default function NameView({ filters, name: was, onClose }: NameViewProps) {
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
      onClose={onClose}
    />
  )
}
