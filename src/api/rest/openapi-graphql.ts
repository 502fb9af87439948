const text = { type: 'string' } as const;
const optionalText = { type: ['string', 'null'] } as const;
const optionalObject = { type: ['object', 'null'] } as const;
const inQuery = (name: string, description: string) => ({ name, in: 'query', required: false, description, schema: text });
const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });

/** What GraphQL takes and answers. */
export const graphqlSchemas = {
  GraphqlRequest: {
    type: 'object',
    properties: {
      query: { ...optionalText, description: 'The document; left out where it is asked for by an id.' },
      operationName: optionalText,
      variables: optionalObject,
      extensions: {
        ...optionalObject,
        properties: {
          persistedQuery: {
            type: 'object',
            required: ['version', 'sha256Hash'],
            properties: {
              version: { type: 'integer', const: 1 },
              sha256Hash: {
                ...text,
                description: 'SHA-256 hash of the document in hexadecimal, or an id of the list of trusted documents.',
              },
            },
          },
        },
      },
    },
  },
  GraphqlAnswer: {
    type: 'object',
    properties: {
      data: optionalObject,
      errors: { type: 'array', items: { type: 'object' } },
      extensions: {
        type: 'object',
        properties: {
          cost: {
            type: 'object',
            required: ['requested', 'limit'],
            properties: {
              requested: {
                type: 'integer',
                description: 'Objects that the operation could return at most; above the limit, at least so many.',
              },
              limit: { type: 'integer', description: 'Most that one operation may ask for.' },
            },
          },
        },
      },
    },
  },
} as const;

/** `/graphql`; the refusals are those of every route. */
export const graphqlPath = (ofGet: object, ofPost: object) => ({
  get: {
    operationId: 'graphqlExplorer',
    summary: 'Explorer for browsers; for programs a query, by its text or its id',
    description: 'Queries only, and only with a header such as apollo-require-preflight: true, which a page of another origin cannot send.',
    parameters: [
      inQuery('query', 'The document; left out where it is asked for by an id.'),
      inQuery('operationName', 'The operation of the document that is to be run.'),
      inQuery('variables', 'Variables, a JSON object.'),
      inQuery('extensions', 'A JSON object, as in the body of POST.'),
    ],
    responses: { 200: { description: 'A page, or the answer.', content: json('GraphqlAnswer') }, ...ofGet },
  },
  post: {
    operationId: 'graphql',
    summary: 'GraphQL; its own schema tells the rest',
    description:
      'Also asks for documents by an id: an unknown one is answered 200 with the error PERSISTED_QUERY_NOT_FOUND, upon which the document is to be sent with its hash.',
    requestBody: { required: true, content: json('GraphqlRequest') },
    responses: { 200: { description: 'Data, errors, and what it cost.', content: json('GraphqlAnswer') }, ...ofPost },
  },
  options: { operationId: 'graphqlOptions', summary: 'Not used', responses: { 405: { description: 'Not allowed.' } } },
});
