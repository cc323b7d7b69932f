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
  /** Endings of the names that it offers; those of everything that makes a page, if left out. */
  accept?: string
  isSingle?: boolean
  isDisabled?: boolean
  onFiles(files: File[]): void
}

/** A file field that looks like a button. */
export function FileButton(props: FileButtonProps) {
  const { label, icon, isFolder = false, accept = ACCEPTED, onFiles } = props
  const { isSingle = false, isDisabled = false } = props
  return (
    <label className={buttonClass('plain', `${FOCUS} ${isDisabled ? 'opacity-50' : ''}`)}>
      {icon}
      {label}
      <input
        type="file"
        multiple={!isSingle}
        disabled={isDisabled}
        {...(isFolder ? { webkitdirectory: '' } : { accept })}
        className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-default"
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
