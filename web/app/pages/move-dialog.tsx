import { Folder, FolderMinus } from 'lucide-preact'
import { useState } from 'preact/compat'
import { count } from '../../../src/model/numbers.ts'
import { QuietButton } from '../ui/button.tsx'
import { FormDialog, useClose } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { hasName } from '../ui/picker.tsx'
import { moveTo, type Named } from './actions.ts'
import { useFolders } from './views.ts'

const ROW = 'w-full justify-start!'

export default function MoveDialog({ pages }: { pages: readonly Named[] }) {
  const close = useClose()
  const folders = useFolders()
  const [name, setName] = useState('')

  function move(folder: string | null): void {
    close()
    void moveTo(pages, folder)
  }
  return (
    <FormDialog
      title={`Move ${pages.length === 1 ? 'the page' : count(pages.length, 'page')} to a folder`}
      action="Move to the new folder"
      onSubmit={() => name.trim() !== '' && move(name.trim())}
    >
      <TextField label="New folder" maxLength={100} value={name} onText={setName} />
      {folders.length > 0 && (
        <ul aria-label="Folders" className="-mx-3 grid">
          {folders.filter(hasName(name)).map((folder) => (
            <li key={folder.name}>
              <QuietButton className={ROW} icon={Folder} onClick={() => move(folder.name)}>
                <span className="truncate">{folder.name}</span>
              </QuietButton>
            </li>
          ))}
          <li>
            <QuietButton
              className={`${ROW} text-muted!`}
              icon={FolderMinus}
              onClick={() => move(null)}
            >
              No folder
            </QuietButton>
          </li>
        </ul>
      )}
    </FormDialog>
  )
}
