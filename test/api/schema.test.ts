import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaBuilderModule, GraphQLSchemaFactory } from '@nestjs/graphql';
import type { GraphQLSchema } from 'graphql';
import { isEnumType, isInputObjectType, isObjectType, isScalarType, lexicographicSortSchema, printSchema } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { RESOLVERS, SCHEMA_OPTIONS } from '../../src/api/graphql/graphql-api.module.js';

const HEADER = `# The GraphQL schema, made of src/api/graphql by "npm run schema". A test compares it with the code.

`;

describe('GraphQL schema', () => {
  let schema: GraphQLSchema;

  beforeAll(async () => {
    const app = await NestFactory.createApplicationContext(GraphQLSchemaBuilderModule, { logger: false });
    schema = await app.get(GraphQLSchemaFactory).create(RESOLVERS, SCHEMA_OPTIONS);
    await app.close();
  });

  it('is the one in schema.graphql; "npm run schema" writes it anew', async () => {
    await expect(`${HEADER}${printSchema(lexicographicSortSchema(schema))}\n`).toMatchFileSnapshot('../../schema.graphql');
  });

  it('describes every type, field, argument and enum value in one sentence', () => {
    const said: [string, string | null | undefined][] = [];
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__') || ['Query', 'Mutation', 'Subscription'].includes(type.name)) continue;
      if (isScalarType(type) && ['String', 'Int', 'Float', 'Boolean', 'ID'].includes(type.name)) continue;
      said.push([type.name, type.description]);
    }
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__')) continue;
      if (isEnumType(type)) for (const value of type.getValues()) said.push([`${type.name}.${value.name}`, value.description]);
      if (!isObjectType(type) && !isInputObjectType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        said.push([`${type.name}.${field.name}`, field.description]);
        for (const arg of 'args' in field ? field.args : []) said.push([`${type.name}.${field.name}(${arg.name})`, arg.description]);
      }
    }
    expect(said.filter(([, description]) => !/^[A-Z].*\.$/.test(description ?? '')).map(([name]) => name)).toEqual([]);
  });
});
