import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { inOrder, isHtmlPath, pathProblem, renamed } from './draft.ts'
import type { EditSession } from './session.ts'

const NEW_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title></title>
</head>
<body>

</body>
</html>
`

interface FileNameProps {
  session: EditSession
  /** The file to rename; null for a new page. */
  before: string | null
  /** With the path of the file, or null where nothing was done. */
  onDone(path: string | null): void
}

/** Asks for the path of a new page, or the new path of a file. */
export function FileName({ session, before, onDone }: FileNameProps) {
  const [path, setPath] = useState(before ?? '')
  const [problem, setProblem] = useState<string | null>(null)

  function apply(): void {
    const { work } = session.get()
    const wanted = path.trim().normalize('NFC')
    if (wanted === before) {
      onDone(null)
      return
    }
    const isPage = before !== null || isHtmlPath(wanted)
    const found =
      pathProblem(work, wanted, before) ?? (isPage ? null : 'A page’s name ends in .html.')
    if (found !== null) {
      setProblem(found)
      return
    }
    session.edit(
      before === null
        ? { ...work, files: inOrder([...work.files, { path: wanted, text: NEW_PAGE }]) }
        : renamed(work, before, wanted),
    )
    onDone(wanted)
  }
  return (
    <Dialog
      title={before === null ? 'New page' : 'Rename file'}
      onClose={() => onDone(null)}
      actions={
        <>
          <Button onClick={() => onDone(null)}>Cancel</Button>
          <Button look="primary" onClick={apply}>
            {before === null ? 'Add page' : 'Rename'}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <TextField
          label="Path"
          value={path}
          placeholder="parts/two.html"
          error={problem}
          help={
            before === null
              ? 'From the deck’s folder.'
              : 'Links to the old name stay as they are: change them by Find in all files.'
          }
          onChange={(event) => {
            setPath(event.target.value)
            setProblem(null)
          }}
        />
      </form>
    </Dialog>
  )
}
