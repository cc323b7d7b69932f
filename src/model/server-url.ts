/** Stands for the address of a server in texts that are made before it is known. */
export const SERVER_URL = 'https://this-server.invalid'
