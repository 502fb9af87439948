/** One file of a knowledge folder: its path inside the folder, the path to show to authors, and its text. */
export interface KnowledgeSource {
  path: string;
  file: string;
  text: string;
}
