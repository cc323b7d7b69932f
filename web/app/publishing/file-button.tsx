import type { ReactNode } from 'react'
import { ASSET_EXTENSIONS } from '../../../src/model/file-types.ts'
import { buttonClass } from '../ui/button.tsx'

const ACCEPTED = ['html', 'htm', 'markdown', 'zip', ...ASSET_EXTENSIONS]
  .map((extension) => `.${extension}`)
  .join()

interface FileButtonProps {
  label: string
  icon: ReactNode
  /** Takes a folder with everything in it. */
  isFolder?: boolean
  onFiles(files: File[]): void
}

/** A file field that looks like a button. */
export function FileButton({ label, icon, isFolder = false, onFiles }: FileButtonProps) {
  return (
    <label className={buttonClass('plain', FOCUS)}>
      {icon}
      {label}
      <input
        type="file"
        multiple
        {...(isFolder ? { webkitdirectory: '' } : { accept: ACCEPTED })}
        className="absolute inset-0 cursor-pointer opacity-0"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </label>
  )
}

const FOCUS =
  'relative has-focus-visible:outline-2 has-focus-visible:outline-offset-2 ' +
  'has-focus-visible:outline-accent'
