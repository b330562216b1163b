package varve

import java.io.{ByteArrayOutputStream, FileNotFoundException}
import java.lang.{Boolean => Flag}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.FileAlreadyExistsException
import java.util.{Arrays, Iterator => Lines}

import io.delta.storage.S3SingleDriverLogStore
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileAlreadyExistsException => IsThere, Path, PathIOException}

/** Delta's log in S3: an entry is written by one PUT with If-None-Match, so of several drivers one writes it.
  *
  * Delta's own store looks first whether the entry is there, and the later of two drivers overwrites it.
  */
class ConditionalLogStore(conf: Configuration) extends S3SingleDriverLogStore(conf) {
  override def write(path: Path, actions: Lines[String], overwrite: Flag, conf: Configuration): Unit =
    if (overwrite) super.write(path, actions, overwrite, conf)
    else {
      val content = new ByteArrayOutputStream
      actions.forEachRemaining(line => content.write(s"$line\n".getBytes(UTF_8)))
      try put(path, content.toByteArray, conf)
      catch {
        case refused @ (_: PathIOException | _: IsThere) =>
          // A PUT whose answer got lost is sent again, and refused because of itself.
          if (!Arrays.equals(found(path, conf, refused), content.toByteArray))
            throw new FileAlreadyExistsException(path.toString)
      }
    }

  private def put(path: Path, content: Array[Byte], conf: Configuration): Unit = {
    val entry = path.getFileSystem(conf).createFile(path)
    val out = entry.must("fs.option.create.conditional.overwrite", true).build()
    try out.write(content)
    finally out.close()
  }

  private def found(path: Path, conf: Configuration, refused: Throwable): Array[Byte] =
    try {
      val in = path.getFileSystem(conf).open(path)
      try in.readAllBytes()
      finally in.close()
    } catch { case _: FileNotFoundException => throw refused }
}
