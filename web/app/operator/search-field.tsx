import { TextField } from '../ui/field.tsx'

interface SearchFieldProps {
  /** Also shown in the empty field. */
  label: string
  search: string
  onSearch(search: string): void
}

/** Searches a list as one types. */
export function SearchField({ label, search, onSearch }: SearchFieldProps) {
  return (
    <TextField
      label={label}
      isLabelHidden
      type="search"
      placeholder={label}
      value={search}
      onChange={({ target }) => onSearch(target.value)}
    />
  )
}
