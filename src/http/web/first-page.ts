/** What makes a first page when it is pasted into a terminal. */
export function firstPageCommand(baseUrl: string, key: string): string {
  return `curl ${baseUrl}/api/v1/pages \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"title": "Hello", "html": "<h1>Hello</h1>"}'`
}
