import { FolderOpen, Upload } from 'lucide-preact'
import { type ButtonLook, buttonClass, type Icon, iconOf } from '../ui/button.tsx'
import { folderOf, groupFiles, type Source } from './sources.ts'

/** Chooses files or a folder: each page among them is a source. */
export function SourceButtons({ onChoose }: { onChoose(sources: Source[]): void }) {
  const chooseFolder = (files: File[]) => onChoose(folderOf(files))
  return (
    <>
      <FileButton label="File" icon={Upload} onFiles={(files) => onChoose(groupFiles(files))} />
      <FileButton label="Folder" icon={FolderOpen} isFolder onFiles={chooseFolder} />
    </>
  )
}

/** Opens the browser's dialog for files, at a press of what is no file field. */
export function chooseFiles(onFiles: (files: File[]) => void): void {
  const field = document.createElement('input')
  Object.assign(field, { type: 'file', multiple: true })
  field.addEventListener('change', () => field.files!.length > 0 && onFiles([...field.files!]))
  field.click()
}

interface FileButtonProps {
  label: string
  /** The accessible name, where it is another. */
  name?: string
  icon: Icon
  isFolder?: boolean
  /** Endings of the names that it offers; any, if left out. */
  accept?: string
  isSingle?: boolean
  look?: ButtonLook
  className?: string
  isDisabled?: boolean
  onFiles(files: File[]): void
}

/** A file field that looks like a button. */
export function FileButton(props: FileButtonProps) {
  const { label, name, icon, isFolder = false, accept, onFiles } = props
  const { isSingle = false, isDisabled = false, look = 'plain', className = '' } = props
  return (
    <label className={buttonClass(look, `${FOCUS} ${className} ${isDisabled ? 'opacity-50' : ''}`)}>
      {iconOf(icon)}
      {label}
      <input
        type="file"
        aria-label={name}
        multiple={!isSingle}
        disabled={isDisabled}
        {...(isFolder ? { webkitdirectory: true } : { accept })}
        className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-default"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </label>
  )
}

const FOCUS =
  'relative has-focus-visible:outline-2 has-focus-visible:outline-offset-2 ' +
  'has-focus-visible:outline-accent'
