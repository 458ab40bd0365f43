-- Links between pages of the sources become links between pages of the site.
-- Metadata `page` is the path of this page in docs/ (or "README.md" of the sources), `root` the way up to the site.
local here, root

local function resolved(path)
  local parts = {}
  for part in path:gmatch("[^/]+") do
    if part == ".." then table.remove(parts) elseif part ~= "." then table.insert(parts, part) end
  end
  return table.concat(parts, "/")
end

local function folder_of(path) return path:match("^(.*/)") or "" end

-- The place in the site of a file of the sources, or nil where the site does not have it.
local function site_path(path)
  local known = {
    ["README.md"] = "index.html", ["docs/README.md"] = "guide.html",
    ["docs/examples"] = "examples/index.html", ["docs/examples/README.md"] = "examples/index.html",
    ["CONTRIBUTING.md"] = "contributing.html", ["datasets/README.md"] = "datasets.html",
    ["tests/bench/RESULTS.md"] = "results.html",
  }
  if known[path] then return known[path] end
  local page = path:match("^docs/([%w_]+)%.md$")
  if page then return page .. ".html" end
  local older = path:match("^tests/bench/results/([%w_]+)%.md$")
  if older then return "results_" .. older .. ".html" end
  local file = path:match("^docs/(.+)$")
  if file then return file end
  return nil
end

local function moved(target)
  if target:match("^%a+:") or target:match("^#") then return target end
  local path, anchor = target:match("^([^#]*)(#?.*)$")
  local place = site_path(resolved(folder_of(here) .. path))
  return place and (root .. place .. anchor)
end

return {
  { Meta = function(meta)
      here = pandoc.utils.stringify(meta.page)
      root = meta.root and pandoc.utils.stringify(meta.root) or ""
    end },
  { Link = function(link)
      local target = moved(link.target)
      if not target then return link.content end  -- a folder of the sources: its name without a link
      link.target = target
      return link
    end,
    -- A narrow screen shows a row as a block: each cell then says what column it is of.
    Table = function(one)
      local heads = {}
      for _, row in ipairs(one.head.rows) do
        for i, cell in ipairs(row.cells) do heads[i] = pandoc.utils.stringify(cell.contents) end
      end
      for _, body in ipairs(one.bodies) do
        for _, row in ipairs(body.body) do
          for i, cell in ipairs(row.cells) do
            if i > 1 and (heads[i] or "") ~= "" then cell.attributes["data-head"] = heads[i] end
          end
        end
      end
      return one
    end,
    Image = function(image)
      image.src = moved(image.src) or image.src
      return image
    end },
}
